// The message of an audit row: the title of the operation and its parameters, without secrets.
import type { Secrecy, Upload } from '@rookery/contract/fields.ts'
import type { Operation } from '@rookery/contract/operation.ts'

/** Facts besides the parameters, such as a new id. */
export type AuditFacts = Readonly<Record<string, string | number | boolean>>

const VALUE_CHARACTERS = 200
const MESSAGE_CHARACTERS = 2_000
const UNQUOTED = /^[\w.:@/+-]+$/
/** Invisible and control characters are written as escapes, so that a terminal shows them and runs none. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

interface ParameterSchema {
  readonly secret?: Secrecy
  readonly default?: unknown
}

/** Parameters at their default are left out; of a secret one only its presence is shown. */
export function auditMessage(
  { title, params }: Pick<Operation, 'title' | 'params'>,
  given: Readonly<Record<string, unknown>>,
  facts: AuditFacts = {},
): string {
  const parts: string[] = []
  for (const [name, schema] of Object.entries(
    params.properties as Readonly<Record<string, ParameterSchema>>,
  )) {
    const value = given[name]
    if (value === undefined || value === schema.default) continue
    parts.push(`${name} ${schema.secret ? redact(value, schema.secret) : quoteValue(value)}`)
  }
  for (const [name, value] of Object.entries(facts)) parts.push(`${name} ${quoteValue(value)}`)
  const whole = parts.length > 0 ? `${title}: ${parts.join(', ')}.` : `${title}.`
  return cut(whole, MESSAGE_CHARACTERS)
}

/** A value in a message: bounded, and in quotes unless it is one word. */
export function quoteValue(value: unknown): string {
  if (isUpload(value)) return `file ${quoteValue(value.filename)} of ${value.bytes.byteLength} bytes`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (UNQUOTED.test(text) && text.length <= VALUE_CHARACTERS) return text
  const quoted =
    typeof value === 'string' ? JSON.stringify(cut(text, VALUE_CHARACTERS)) : cut(text, VALUE_CHARACTERS)
  return quoted.replace(INVISIBLE, (it) => `\\u{${it.codePointAt(0)?.toString(16) ?? ''}}`)
}

function redact(value: unknown, how: Secrecy): string {
  if (how === 'whole' || typeof value !== 'string' || !URL.canParse(value)) return '(withheld)'
  const { protocol, host } = new URL(value)
  return `${protocol}//${quoteValue(host)}/…`
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed()
  const start = text.slice(0, most - 30)
  return `${start.toWellFormed()}…[+${text.length - start.length} characters]`
}

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array
