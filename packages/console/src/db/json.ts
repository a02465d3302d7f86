// JSON that a statement brings along.
import { plain } from './postgres/plain.ts'
import type { EngineName } from './query.ts'

const REFUSED = /\\u(?:0000|d[89a-f])/

/** The value as JSON that the engine reads: PostgreSQL refuses a NUL and half a pair of surrogates there, too. */
export function jsonFor(engine: EngineName, value: unknown): string {
  const json = JSON.stringify(value)
  if (engine === 'sqlite' || !REFUSED.test(json)) return json
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? plain(part) : part))
}
