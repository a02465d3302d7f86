// One flat set of texts from query, form, multipart or JSON (behaviour 1): the query wins, of duplicates the first.
import type { Upload } from '@rookery/contract/fields.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { NESTING, PARAMETERS, TEXT_BYTES } from './request-limits.ts'

/** A parameter as it came: text, a JSON value of a JSON body, or a file. */
export type RawValue = string | Upload | readonly unknown[] | Readonly<Record<string, unknown>>

export type RawParameters = Readonly<Record<string, RawValue>>

export interface RequestParts {
  /** The query string without `?`. */
  readonly query: string
  readonly contentType: string | undefined
  readonly body: Buffer | undefined
}

const cannot = (why: string): Fault =>
  new Fault('bad-input', 'Could not process the parameters', { details: { body: why } })

export interface Merged {
  readonly raw: RawParameters
  /** The key as it came in the query. */
  readonly keyInQuery: string | undefined
  /** Why the body could not be read: `bad-input`, or `unsupported-media-type` for one of no known kind. */
  readonly unreadable?: Fault
}

/** Merges all sources. A body that cannot be read is answered, not thrown: the key is checked first. */
export async function mergeParameters(incoming: RequestParts): Promise<Merged> {
  const merged = Object.create(null) as Record<string, RawValue>
  const add = (name: string, value: RawValue): void => {
    if (!(name in merged)) merged[name] = value
  }
  if (incoming.query !== '') for (const [name, value] of new URLSearchParams(incoming.query)) add(name, value)
  const keyInQuery = merged['auth_token'] as string | undefined
  if (incoming.body && incoming.body.length > 0) {
    try {
      for (const [name, value] of await readBody(incoming.body, incoming.contentType)) add(name, value)
    } catch (error) {
      if (error instanceof Fault) return { raw: merged, keyInQuery, unreadable: error }
      throw error
    }
  }
  return { raw: merged, keyInQuery }
}

async function readBody(body: Buffer, contentType = ''): Promise<Iterable<readonly [string, RawValue]>> {
  const [kind = ''] = contentType.toLowerCase().split(';')
  switch (kind.trim()) {
    case 'application/x-www-form-urlencoded':
    // curl's -d sends this type; a body without a type is read as a form, too.
    case '':
      refuseLong(body)
      refuseMany(body, '&')
      return new URLSearchParams(body.toString('utf8'))
    case 'application/json':
      refuseLong(body)
      refuseDeep(body)
      return readJson(body)
    case 'multipart/form-data':
      return readMultipart(body, contentType)
    default:
      throw new Fault(
        'unsupported-media-type',
        `Content type ${kind.slice(0, 80)} is not supported: send a form, multipart/form-data or application/json.`,
      )
  }
}

function readJson(body: Buffer): [string, RawValue][] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw cannot(`is not JSON: ${(error as Error).message.slice(0, 120)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw cannot('must be a JSON object')
  const values: [string, RawValue][] = []
  for (const [name, value] of Object.entries(parsed)) {
    if (typeof value === 'number' || typeof value === 'boolean') values.push([name, String(value)])
    // `null` counts as empty text.
    else values.push([name, (value ?? '') as RawValue])
  }
  return values
}

function refuseLong(body: Buffer): void {
  if (body.length <= TEXT_BYTES.max) return
  TEXT_BYTES.hit()
  throw new Fault(
    'too-large',
    `A form or JSON body may be ${TEXT_BYTES.max} bytes long, not ${body.length}: send files as multipart/form-data.`,
  )
}

/** Counted before parsing: a body of 32 MiB may contain millions. */
function refuseMany(body: Buffer, separator: string): void {
  let count = 0
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length)) {
    if (++count <= PARAMETERS.max) continue
    PARAMETERS.hit()
    throw cannot(`has more than ${PARAMETERS.max} parameters`)
  }
}

/** Parsing deep nesting takes many times the memory of the text. */
function refuseDeep(body: Buffer): void {
  let depth = 0
  let isText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === 0x22 /* " */) isText = !isText
    else if (isText) at += byte === 0x5c /* \\ */ ? 1 : 0
    else if (byte === 0x5b /* [ */ || byte === 0x7b /* { */) {
      if (++depth <= NESTING.max) continue
      NESTING.hit()
      throw cannot(`is nested more than ${NESTING.max} levels deep`)
    } else if (byte === 0x5d /* ] */ || byte === 0x7d /* } */) depth--
  }
}

async function readMultipart(body: Buffer, contentType: string): Promise<[string, RawValue][]> {
  const [, quoted, token] = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType) ?? []
  refuseMany(body, `--${quoted ?? token ?? ''}`)
  let form: FormData
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw cannot('is not multipart/form-data with the boundary that its content type names')
  }
  const values: [string, RawValue][] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') values.push([name, value])
    else {
      const bytes = new Uint8Array(await value.arrayBuffer())
      values.push([name, { filename: value.name, contentType: value.type, bytes }])
    }
  }
  return values
}
