/** What a provider issued for a token, and its artefacts show: keys, ids, names. Stored sealed. */
export type IssuedValues = Readonly<Record<string, string>>
