// What a call did, in one sentence for the audit trail: the operation's title and what was given, without a secret.
import type { Secrecy, Upload } from '@rookery/contract/fields.ts'
import type { Operation } from '@rookery/contract/operation.ts'

/** What the console knows besides the parameters, such as the id of what was made. */
export type AuditFacts = Readonly<Record<string, string | number | boolean>>

const VALUE = 200
const SENTENCE = 2_000
const PLAIN = /^[\w.:@/+-]+$/
/** Written out as escapes: whoever reads the trail on a terminal sees what there is, and nothing runs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

interface Marked {
  readonly secret?: Secrecy
  readonly default?: unknown
}

/** Parameters at their default are left out; a secret one says that it was given. */
export function auditMessage(
  { title, params }: Pick<Operation, 'title' | 'params'>,
  given: Readonly<Record<string, unknown>>,
  facts: AuditFacts = {},
): string {
  const parts: string[] = []
  for (const [name, schema] of Object.entries(params.properties as Readonly<Record<string, Marked>>)) {
    const value = given[name]
    if (value === undefined || value === schema.default) continue
    parts.push(`${name} ${schema.secret ? veiled(value, schema.secret) : quoteValue(value)}`)
  }
  for (const [name, value] of Object.entries(facts)) parts.push(`${name} ${quoteValue(value)}`)
  const whole = parts.length > 0 ? `${title}: ${parts.join(', ')}.` : `${title}.`
  return cut(whole, SENTENCE)
}

/** A value as the trail shows it: bounded, in quotes where it is more than a word. */
export function quoteValue(value: unknown): string {
  if (isUpload(value)) return `file ${quoteValue(value.filename)} of ${value.bytes.byteLength} bytes`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (PLAIN.test(text) && text.length <= VALUE) return text
  const quoted = typeof value === 'string' ? JSON.stringify(cut(text, VALUE)) : cut(text, VALUE)
  return quoted.replace(UNSEEN, (it) => `\\u{${it.codePointAt(0)?.toString(16) ?? ''}}`)
}

function veiled(value: unknown, how: Secrecy): string {
  if (how === 'whole' || typeof value !== 'string' || !URL.canParse(value)) return '(withheld)'
  const { protocol, host } = new URL(value)
  return `${protocol}//${quoteValue(host)}/…`
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed()
  const kept = text.slice(0, most - 30)
  return `${kept.toWellFormed()}…[+${text.length - kept.length} characters]`
}

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array
