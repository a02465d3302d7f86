// What some-product says in its own way, as data: the texts, limits and delays that another product of this protocol has otherwise.

export const ERROR = ''
