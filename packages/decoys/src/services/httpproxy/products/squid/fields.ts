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
  return withoutLength({ byName, all })
}

/** With a coding the length does not count, and the coding `identity` is none. */
function withoutLength(fields: Fields): Fields {
  const coding = fields.byName.get('transfer-encoding')?.toLowerCase()
  if (coding === undefined) return fields
  const dropped = coding === 'identity' ? ['content-length', 'transfer-encoding'] : ['content-length']
  return {
    byName: new Map([...fields.byName].filter(([name]) => !dropped.includes(name))),
    all: fields.all.filter(([name]) => !dropped.includes(name.toLowerCase())),
  }
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

/**
 * How its page about an invalid request repeats them: without lengths that are none, a length that was said more than once
 * anew behind the others, and Host last, as the target says it.
 */
export function repeated({ all, byName }: Fields, host: string): string {
  const said = byName.get('content-length') ?? ''
  const length = contentLength(said)
  const isMadeAnew = length !== undefined && said.includes(',')
  const lines: string[] = []
  for (const [name, value] of all) {
    const low = name.toLowerCase()
    if (low === 'host' || (low === 'content-length' && (length === undefined || isMadeAnew))) continue
    lines.push(`${KNOWN.get(low) ?? name}: ${SECRET.test(low) ? '** NOT DISPLAYED **' : value}\r\n`)
  }
  if (isMadeAnew) lines.push(`Content-Length: ${length}\r\n`)
  return lines.join('') + (byName.has('host') ? `Host: ${host}\r\n` : '')
}

const MAX_LENGTH = 2n ** 63n - 1n

/** The same number once or more often, with empty items in between; undefined: none. */
export function contentLength(value: string): number | undefined {
  const numbers = value.split(',').map(trimBlanks).filter(Boolean)
  if (!numbers.every((number) => /^\d{1,30}$/.test(number))) return undefined
  const [first, ...rest] = new Set(numbers.map(BigInt))
  return first !== undefined && rest.length === 0 && first <= MAX_LENGTH ? Number(first) : undefined
}
