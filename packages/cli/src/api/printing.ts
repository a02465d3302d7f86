// Answers as they are printed. Attackers write what operators read: no control character of theirs reaches a terminal.

/** Control characters but those that JSON escapes, invisible ones, and those that turn the direction of writing. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

const escape = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')

/** The same JSON, with what a terminal would obey or hide written as an escape; lone surrogates are escaped by JSON itself. */
export const printableJson = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(UNSEEN, escape)

/** Text of others on lines of its own: line breaks and tabs stay, everything else that is unseen is shown. */
export const printableText = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f]/g, escape).replace(UNSEEN, escape)
