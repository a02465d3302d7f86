// Converts texts to the types of the operation's schema, or answers 400 with the parameter, its value and what is right.
import { Compile, type Validator } from 'typebox/compile'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Fault } from '@rookery/kernel/fault.ts'
import { suggest } from '@rookery/kernel/suggest.ts'
import type { RawValue } from './body/decoder.ts'
import { scanJson } from './body/json-scan.ts'
import type { RawParameters } from './parameters.ts'

interface Property {
  readonly type?: string
  readonly default?: unknown
  readonly format?: string
  readonly separator?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly says?: { readonly empty?: string; readonly tooLong?: string }
}

interface CompiledSchema {
  readonly properties: readonly (readonly [string, Property])[]
  readonly required: ReadonlySet<string>
  readonly validator: Validator
}

/** Of a text that says something. */
const NOT_BLANK = '\\S'

const compiled = new WeakMap<TObject, CompiledSchema>()

/** Compiled once for all calls of an operation. */
function compile(schema: TObject): CompiledSchema {
  const cached = compiled.get(schema)
  if (cached) return cached
  const made: CompiledSchema = {
    properties: Object.entries(schema.properties as Record<string, Property>),
    required: new Set(schema.required as string[] | undefined),
    validator: Compile(withoutFiles(schema)),
  }
  compiled.set(schema, made)
  return made
}

/** Checks and converts the parameters of one operation. Unknown ones are left out; empty text counts as absent. */
export function coerce<P extends TObject>(schema: P, raw: RawParameters): Static<P> {
  const values: Record<string, unknown> = {}
  const details: Record<string, string> = {}
  const { properties, required, validator } = compile(schema)
  // The first failure gives the message, all of them the details.
  let firstMessage: string | undefined
  const refuse = (name: string, reason: string, message: string): void => {
    details[name] = reason
    firstMessage ??= message
  }

  for (const [name, property] of properties) {
    const value = raw[name]
    if (value === undefined || value === '') {
      if ('default' in property) values[name] = property.default
      else if (!required.has(name)) continue
      else if (value === '') refuse(name, 'must not be empty', property.says?.empty ?? `Empty ${name}`)
      else refuse(name, 'is required', `Parameter ${name} is required.`)
      continue
    }
    const read = convert(value, property)
    if (property.pattern === NOT_BLANK && isEmpty(value)) refuse(name, 'must not be blank', `Empty ${name}`)
    else if ('value' in read) values[name] = read.value
    else refuse(name, read.reason, read.message ?? `Parameter ${name} was invalid.`)
  }
  if (firstMessage !== undefined) throw new Fault('bad-input', firstMessage, { details })

  // The conversion handles the usual types; the schema decides.
  if (validator.Check(values)) return values as Static<P>
  for (const error of validator.Errors(values)) {
    const name = error.instancePath.slice(1) || 'parameters'
    refuse(name, error.message, `Parameter ${name} was invalid.`)
  }
  throw new Fault('bad-input', firstMessage ?? 'Could not process the parameters', { details })
}

/** A `bad-input` for parameters that would count as absent: unknown names, and values without text. */
export function refuseEmptyOrUnknown(schema: TObject, raw: RawParameters): void {
  const known = Object.keys(schema.properties)
  const details: Record<string, string> = {}
  let message: string | undefined
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'auth_token') continue
    if (!known.includes(name)) {
      details[name.slice(0, 60)] = 'is unknown'
      message ??= unknownParameter(name, known)
    } else if (isEmpty(value)) {
      details[name] = 'must not be empty'
      message ??= `Empty ${name}`
    }
  }
  if (message !== undefined) throw new Fault('bad-input', message, { details })
}

function unknownParameter(name: string, known: readonly string[]): string {
  const [nearest] = suggest(name, known)
  const advice = nearest === undefined ? `use ${known.join(', ')}.` : `did you mean ${nearest}?`
  return `Unknown parameter ${name.slice(0, 60)}: ${advice}`
}

/** Whether a text, or a list of texts, has nothing but blanks. */
function isEmpty(value: RawValue): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.every((item) => item === null || (typeof item === 'string' && item.trim() === ''))
}

/** What a JSON schema can judge: files were judged by the conversion. */
function withoutFiles(schema: TObject): TObject {
  const properties = Object.entries(schema.properties as Record<string, TSchema>)
  return Type.Object(
    Object.fromEntries(properties.filter(([, property]) => (property as Property).format !== 'binary')),
  )
}

type Read = { readonly value: unknown } | { readonly reason: string; readonly message?: string | undefined }

function convert(value: RawValue, facts: Property): Read {
  if (facts.format === 'binary') {
    return typeof value === 'object' && 'bytes' in value
      ? { value }
      : { reason: 'must be a file, sent as multipart/form-data' }
  }
  if (facts.type === 'object') return readObject(value)
  const text = asText(value, facts)
  if (text === undefined)
    return { reason: isFileOfLines(value, facts) ? 'must be text in UTF-8' : `must be ${wanted(facts)}` }
  if (text.includes('\0')) return { reason: 'must not contain the NUL character' }
  switch (facts.type) {
    case 'boolean':
      if (/^(true|1)$/i.test(text.trim())) return { value: true }
      if (/^(false|0)$/i.test(text.trim())) return { value: false }
      break
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = facts
      const number = Number(text)
      if (/^-?\d{1,16}$/.test(text.trim()) && number >= minimum && number <= maximum) return { value: number }
      break
    }
    default:
      if (facts.anyOf) {
        const chosen = choiceOf(text, facts.anyOf)
        if (chosen === undefined) break
        return { value: chosen }
      }
      if (isAtMost(text, facts.maxLength ?? Infinity)) return { value: text }
      return {
        reason: `must be ${wanted(facts)}, not ${countCharacters(text)}`,
        message: facts.says?.tooLong,
      }
  }
  return { reason: `must be ${wanted(facts)}, not ${JSON.stringify(text.slice(0, 60))}` }
}

/** A choice in any case: lists show some of them with capital letters. A long text is not converted for each of them. */
const choiceOf = (text: string, choices: NonNullable<Property['anyOf']>): unknown =>
  choices.find(({ const: it }) => {
    const choice = String(it)
    return choice.length === text.length && choice.toLowerCase() === text.toLowerCase()
  })?.const

const isAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && countCharacters(text) <= most)

/** Characters are code points: an emoji is one. A list of them would take eight times the memory of the text. */
function countCharacters(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at++)
    if (isSurrogate(text, at, 0xdc00) && isSurrogate(text, at - 1, 0xd800)) count--
  return count
}

/** Whether the code unit is one of the 1,024 high (from 0xd800) or low surrogates (from 0xdc00). */
const isSurrogate = (text: string, at: number, from: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === from

function asText(value: RawValue, facts: Property): string | undefined {
  if (typeof value === 'string') return value
  if (isFileOfLines(value, facts)) return utf8(value.bytes)
  if (!Array.isArray(value)) return undefined
  const items = value as readonly unknown[]
  const plain = items.every((item) => ['string', 'number', 'boolean'].includes(typeof item))
  return plain && facts.type === 'string' ? items.join(facts.separator ?? ',') : undefined
}

const isFileOfLines = (
  value: RawValue,
  { separator }: Property,
): value is Extract<RawValue, { bytes: unknown }> =>
  separator === '\n' && typeof value === 'object' && 'bytes' in value

/** Lines may be sent as a file, without its byte order mark; undefined where that is not UTF-8. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function readObject(value: RawValue): Read {
  let parsed: unknown = value
  if (typeof value === 'string') {
    try {
      scanJson(Buffer.from(value))
      parsed = JSON.parse(value)
    } catch (error) {
      if (error instanceof Fault) return { reason: error.details?.['body'] ?? error.message }
      parsed = undefined
    }
  }
  const isObject =
    typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) && !('bytes' in parsed)
  return isObject ? { value: parsed } : { reason: 'must be a JSON object' }
}

function wanted({ type, anyOf, minimum, maximum, maxLength }: Property): string {
  if (anyOf) return `one of ${anyOf.map((choice) => String(choice.const)).join(', ')}`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') {
    if (maximum !== undefined) return `a whole number from ${minimum ?? 0} to ${maximum}`
    return minimum === undefined ? 'a whole number' : `a whole number of at least ${minimum}`
  }
  return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`
}
