// Text that an intruder could have written, as a type that React does not render: only `<Evidence>` shows it.

declare const brand: unique symbol
/** A string at run time; to the compiler no text, so that it fits neither into markup nor into an attribute. */
export interface Hostile {
  readonly [brand]: 'hostile'
}

export const hostile = (text: string): Hostile => text as unknown as Hostile

/** To compare, to send or to copy it; never to show it. */
export const rawOf = (text: Hostile | string): string => text as string

/** An address is harmless; undefined for any other text. */
export const addressOf = (text: Hostile): string | undefined =>
  /^[\da-f.:]+$/i.test(rawOf(text)) ? rawOf(text) : undefined

export const isEmpty = (text: Hostile): boolean => rawOf(text) === ''

export const joined = (texts: readonly Hostile[]): Hostile => hostile(texts.map(rawOf).join(' / '))

/** Texts of an answer in these fields, at any depth, become `Hostile`. */
export type Branded<T, Field extends string> = T extends readonly (infer Item)[]
  ? readonly Branded<Item, Field>[]
  : T extends object
    ? { [K in keyof T]: K extends Field ? BrandedText<T[K], Field> : Branded<T[K], Field> }
    : T
type BrandedText<T, Field extends string> = T extends string ? Hostile : Branded<T, Field>
