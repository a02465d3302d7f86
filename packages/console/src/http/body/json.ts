// A JSON object as parameters: numbers and booleans count as their text, null as the empty text.
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import type { BodyDecoder, RawValue } from './decoder.ts'
import { findTexts } from './json-members.ts'
import { scanJson } from './json-scan.ts'
import { unreadable } from './unreadable.ts'

/** What a value takes in memory, rounded up: a small object takes about as much. */
const VALUE_BYTES = 64

export function jsonDecoder(): BodyDecoder {
  const body = byteCollector()
  return {
    push: body.add,
    find: (names) => findTexts(body.bytes(), names),
    end(reserve) {
      const values = scanJson(body.bytes())
      reserve?.(values * VALUE_BYTES)
      return parse(body.bytes())
    },
  }
}

function parse(bytes: Buffer): [string, RawValue][] {
  let parsed: unknown
  try {
    parsed = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw unreadable(`is not JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw unreadable('must be a JSON object')
  return Object.entries(parsed).map(([name, value]): [string, RawValue] =>
    typeof value === 'number' || typeof value === 'boolean'
      ? [name, String(value)]
      : [name, (value ?? '') as RawValue],
  )
}
