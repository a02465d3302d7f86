// The rule in a spelling of its own for each token: a program that copies pages must not find the rules of all tokens by one pattern.
import { createHash } from 'node:crypto'

/** Of three characters, about one is escaped. */
const ONE_IN = 3
/** A backslash in front of one of these begins a number. */
const HEX_DIGIT = /[0-9a-f]/i
const MUST_ESCAPE = /['"()\\\s<>]/

/** The same for a token each time. Browsers read the plain address out of it (CSS Syntax Module Level 3, 4.3.7). */
export function variedCss(url: string, tokenId: string): string {
  const draw = drawsOf(tokenId)
  const quote = draw(2) === 0 ? "'" : '"'
  const spelled = Array.from(url, (character) =>
    MUST_ESCAPE.test(character) || draw(ONE_IN) === 0 ? escapeOf(character, draw) : character,
  )
  return `body{background:url(${quote}${spelled.join('')}${quote})!important}`
}

/** A backslash, and the character itself or its number, which ends after six digits or with a space. */
function escapeOf(character: string, draw: (below: number) => number): string {
  if (!HEX_DIGIT.test(character) && !MUST_ESCAPE.test(character) && draw(2) === 0) return `\\${character}`
  const digits = (character.codePointAt(0) ?? 0).toString(16)
  const written = draw(2) === 0 ? digits : digits.toUpperCase()
  const padded = written.padStart(2 + draw(5), '0')
  return padded.length === 6 ? `\\${padded}` : `\\${padded} `
}

/** Small numbers that look random, and are the same for the token each time. */
function drawsOf(tokenId: string): (below: number) => number {
  let block = Buffer.from(tokenId)
  let left: number[] = []
  return (below) => {
    if (left.length === 0) {
      block = createHash('sha512').update(block).digest()
      left = [...block]
    }
    return (left.pop() ?? 0) % below
  }
}
