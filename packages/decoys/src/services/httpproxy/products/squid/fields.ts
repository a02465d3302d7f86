// Header fields as squid 5.7 reads them, and writes them into its page about an invalid request.
import { KNOWN } from './names.data.ts'

export interface Fields {
  /** By their names in lower case; repeated ones joined by `, `. */
  readonly byName: ReadonlyMap<string, string>
  /** As they were sent, in the order of arrival. */
  readonly all: readonly (readonly [name: string, value: string])[]
}

export const NO_FIELDS: Fields = { byName: new Map(), all: [] }

const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** Undefined: one of the lines is no field. */
export function readFields(text: string): Fields | undefined {
  if (text.includes('\0')) return undefined
  const byName = new Map<string, string>()
  const all: [string, string][] = []
  for (const line of unfolded(text)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    if (!NAME.test(name)) return undefined
    const value = trimBlanks(line.slice(colon + 1))
    const known = byName.get(name.toLowerCase())
    byName.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`)
    all.push([name, value])
  }
  return { byName, all }
}

/** Lines that begin with a blank go on with the one before; without one they are dropped. */
function unfolded(text: string): readonly string[] {
  const lines: string[] = []
  for (const part of text.split('\n')) {
    const line = part.endsWith('\r') ? part.slice(0, -1) : part
    if (line === '') continue
    if (!/^[ \t]/.test(line)) lines.push(line)
    else if (lines.length > 0) lines[lines.length - 1] += line
  }
  return lines
}

function trimBlanks(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && ' \t\r\v\f'.includes(text[from]!)) from += 1
  while (to > from && ' \t\r\v\f'.includes(text[to - 1]!)) to -= 1
  return text.slice(from, to)
}

/** A list field has this word (RFC 9110, 5.6.1). */
export const hasWord = ({ byName }: Fields, name: string, word: string): boolean =>
  (byName.get(name) ?? '').split(',').some((part) => trimBlanks(part).toLowerCase() === word)

const SECRET = /^(?:proxy-)?authorization$/

/** How its page about an invalid request repeats them: without lengths that are none, and Host last, as the target says it. */
export function repeated({ all, byName }: Fields, host: string): string {
  const length = contentLength(byName.get('content-length') ?? '')
  const lines: string[] = []
  let hasLength = length === undefined
  for (const [name, value] of all) {
    const low = name.toLowerCase()
    if (low === 'host' || (low === 'content-length' && hasLength)) continue
    hasLength ||= low === 'content-length'
    const once = low === 'content-length' ? value.split(',', 1)[0]! : value
    const shown = SECRET.test(low) ? '** NOT DISPLAYED **' : once
    lines.push(`${KNOWN.get(low) ?? name}: ${shown}\r\n`)
  }
  return lines.join('') + (byName.has('host') ? `Host: ${host}\r\n` : '')
}

const MAX_LENGTH = 2n ** 63n - 1n

/** The same number once or more often; undefined: none. */
export function contentLength(value: string): number | undefined {
  const numbers = value.split(',').map(trimBlanks)
  const [first = ''] = numbers
  const isOne = /^\d{1,30}$/.test(first) && numbers.every((number) => number === first)
  return isOne && BigInt(first) <= MAX_LENGTH ? Number(first) : undefined
}
