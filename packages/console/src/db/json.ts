// JSON parameters of a statement.
import { storableText } from './postgres/storable-text.ts'
import type { EngineName } from './query.ts'

const REFUSED = /\\u(?:0000|d[89a-f])/

/** The value as JSON for the engine: PostgreSQL refuses NUL and lone surrogates there, too. */
export function jsonFor(engine: EngineName, value: unknown): string {
  const json = JSON.stringify(value)
  if (engine === 'sqlite' || !REFUSED.test(json)) return json
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  )
}
