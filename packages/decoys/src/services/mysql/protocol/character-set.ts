// The client's character set, as far as names depend on it (MariaDB's tables of collations, by number).

/** `bytes`: those of one or more bytes a character whose names come back as they were sent. */
export type CharacterSet = 'utf8mb4' | 'utf8mb3' | 'latin1' | 'ascii' | 'binary' | 'swe7' | 'bytes'

type Ids = (id: number) => boolean

const between =
  (first: number, last: number): Ids =>
  (id) =>
    id >= first && id <= last
const oneOf =
  (...ids: readonly number[]): Ids =>
  (id) =>
    ids.includes(id)

const KNOWN: readonly (readonly [CharacterSet, Ids])[] = [
  ['utf8mb4', oneOf(45, 46)],
  ['utf8mb4', between(224, 247)],
  ['utf8mb3', oneOf(33, 83, 223)],
  ['utf8mb3', between(192, 215)],
  ['latin1', oneOf(5, 8, 15, 31, 47, 48, 49, 94)],
  ['ascii', oneOf(11, 65)],
  ['binary', oneOf(63)],
  ['swe7', oneOf(10, 82)],
  // Of a number that the server does not know, it takes its own.
  ['utf8mb4', oneOf(0, 76, 100)],
  ['utf8mb4', between(125, 127)],
  ['utf8mb4', between(152, 158)],
  ['utf8mb4', between(184, 191)],
  ['utf8mb4', between(216, 222)],
  ['utf8mb4', between(248, 255)],
]

/** No client may speak them: a NUL or a command could stand in their characters. */
const REFUSED: readonly (readonly [string, Ids])[] = [
  ['ucs2', oneOf(35, 90, 159)],
  ['ucs2', between(128, 151)],
  ['utf16', oneOf(54, 55)],
  ['utf16', between(101, 124)],
  ['utf16le', oneOf(56, 62)],
  ['utf32', oneOf(60, 61)],
  ['utf32', between(160, 183)],
  ['filename', oneOf(17)],
]

export const refusedCharacterSet = (collation: number): string | undefined =>
  REFUSED.find(([, includes]) => includes(collation))?.[0]

export const characterSetOf = (collation: number): CharacterSet =>
  KNOWN.find(([, includes]) => includes(collation))?.[0] ?? 'bytes'

/** Whether the server cannot take this name of a database over into its own character set, which has three bytes at most. */
export function isMalformedName(name: string, set: CharacterSet): boolean {
  switch (set) {
    case 'utf8mb4':
    case 'utf8mb3':
    case 'binary':
      return charactersOfUtf8(name, 'utf8mb4', name.length).some(
        (one) => one.length === 4 || (one.length === 1 && one > '\x7f'),
      )
    case 'ascii':
    case 'swe7':
      return /[\x80-\xff]/.test(name)
    case 'latin1':
    case 'bytes':
      return false
  }
}

/** MariaDB's longest user name. */
const MAX_CHARACTERS = 128

/**
 * The name of a user as the server repeats it, in the client's character set; latin1, one character a byte, both ways. What
 * is malformed is `?`; what does not print is `\` and four digits.
 */
export function repeatedUser(sent: string, set: CharacterSet): string {
  const characters = set === 'utf8mb4' || set === 'utf8mb3' ? charactersOfUtf8(sent, set) : [...sent]
  return characters
    .slice(0, MAX_CHARACTERS)
    .map((character) => printed(character, set))
    .join('')
}

function charactersOfUtf8(text: string, set: 'utf8mb4' | 'utf8mb3', most = MAX_CHARACTERS): string[] {
  const characters: string[] = []
  for (let at = 0; at < text.length && characters.length < most;) {
    const length = utf8Length(text, at)
    const isKept = length < 4 || set === 'utf8mb4'
    characters.push(text.slice(at, at + (isKept ? length : 1)))
    at += isKept ? length : 1
  }
  return characters
}

/** Of a character in UTF-8; 1 where there is none. Surrogates count as characters. */
function utf8Length(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1
  for (let next = at + 1; next < at + length; next += 1) if ((text.charCodeAt(next) & 0xc0) !== 0x80) return 1
  const second = text.charCodeAt(at + 1)
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  return isOverlong || (first === 0xf4 && second > 0x8f) ? 1 : length
}

/** Bytes of Windows-1252 that have no character. */
const UNDEFINED_IN_LATIN1 = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

function printed(character: string, set: CharacterSet): string {
  const code = character.charCodeAt(0)
  if (character.length === 1 && code < 0x80) return isControl(code) ? escaped(code) : character
  switch (set) {
    case 'utf8mb4':
    case 'utf8mb3': {
      // The server's own character set ends at three bytes.
      if (character.length === 1 || character.length === 4) return '?'
      const wide = codeOf(character)
      return isControl(wide) || isSurrogate(wide) ? escaped(wide) : character
    }
    case 'ascii':
    case 'swe7':
      return '?'
    case 'latin1':
      return UNDEFINED_IN_LATIN1.includes(code) ? escaped(code) : character
    case 'binary':
      return isControl(code) ? escaped(code) : Buffer.from(character).toString('latin1')
    case 'bytes':
      return character
  }
}

/** The code point of two or three bytes of UTF-8. */
const codeOf = (character: string): number =>
  [...character].reduce(
    (code, byte, at) =>
      at === 0
        ? byte.charCodeAt(0) & (character.length === 2 ? 0x1f : 0x0f)
        : (code << 6) | (byte.charCodeAt(0) & 0x3f),
    0,
  )

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 9 && code !== 10 && code !== 13) || (code >= 0x7f && code < 0xa0)
const isSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xe000

const escaped = (code: number): string => `\\${code.toString(16).toUpperCase().padStart(4, '0')}`
