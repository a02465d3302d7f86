// What the page asks the machine for.
export const now = (): number => Date.now()
