// A JSON object as parameters: numbers and booleans count as their text, null as the empty text.
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import type { BodyDecoder, RawValue } from './decoder.ts'
import { findTexts } from './json-members.ts'
import { scanJson, type TextSpan } from './json-scan.ts'
import { unreadable } from './unreadable.ts'

/** A member of the outermost object: its name, and the position of its colon. */
interface Member {
  readonly name: TextSpan
  readonly colon: number
}

/** What a value takes in memory, rounded up: a small object takes about as much. */
const VALUE_BYTES = 64

export function jsonDecoder(): BodyDecoder {
  const body = byteCollector()
  return {
    push: body.add,
    find: (names) => findTexts(body.bytes(), names),
    end(reserve) {
      const members: Member[] = []
      const values = scanJson(body.bytes(), (name, colon) => members.push({ name, colon }))
      reserve?.(values * VALUE_BYTES)
      return parse(body.bytes(), members)
    },
  }
}

function parse(bytes: Buffer, members: readonly Member[]): [string, RawValue][] {
  let parsed: unknown
  try {
    parsed = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw unreadable(`is not JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw unreadable('must be a JSON object')
  const entries = Object.entries(parsed)
  // JSON.parse keeps the last of members of one name; of parameters that come twice, the first counts (parameters.ts).
  const all = entries.length < members.length ? parseEach(bytes, members) : entries
  return all.map(([name, value]): [string, RawValue] =>
    typeof value === 'number' || typeof value === 'boolean'
      ? [name, String(value)]
      : [name, (value ?? '') as RawValue],
  )
}

/** The members of an object that is JSON, one by one. */
function parseEach(bytes: Buffer, members: readonly Member[]): [string, unknown][] {
  return members.map(({ name: { open, close }, colon }, index) => {
    // Behind the value come blanks and the comma before the next name, or the bracket that ends the object.
    const next = members[index + 1]?.name.open ?? bytes.lastIndexOf('}') + 1
    const value = bytes
      .toString('utf8', colon + 1, next)
      .trimEnd()
      .slice(0, -1)
    return [JSON.parse(bytes.toString('utf8', open, close + 1)) as string, JSON.parse(value)]
  })
}
