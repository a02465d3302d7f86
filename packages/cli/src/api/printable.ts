// Answers as they are printed. Attackers write some of their text: none of their control characters may reach a terminal.

/** Control characters that JSON does not escape, invisible characters, and those that change the writing direction. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

const escape = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')

/** The same JSON with every unsafe character as an escape. JSON itself escapes lone surrogates. */
export const printableJson = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(UNSAFE, escape)

/** Text of several lines: line breaks and tabs stay, all other unsafe characters become escapes. */
export const printableText = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f]/g, escape).replace(UNSAFE, escape)
