// A table that is looked up by words of strangers: it knows its own words alone, and not `constructor` as every object does.

/** The same entries without a prototype. */
export const byWord = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, T>, entries))
