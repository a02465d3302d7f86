// The typed client: one function for each operation, folded from the contract.
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group, Operation } from '@rookery/contract/operation.ts'
import { ApiError, type ErrorBody } from './api-error.ts'
import type { AnsweredFile, Client } from './types.ts'

export interface ClientOptions {
  /** Such as `https://console.example.org`. */
  readonly baseUrl: string
  /**
   * An API key, 32 hex digits; sent as a header, so that it stays out of proxies' logs. Empty for a client that only
   * makes and downloads tokens with a `factory_auth`.
   */
  readonly key: string
  readonly fetch?: typeof fetch
}

/** A client of one console. Every function rejects with an `ApiError` unless the answer is a success. */
export function openClient(options: ClientOptions): Client {
  const bind = (group: Group): object =>
    Object.fromEntries(
      Object.entries(group).map(([name, operation]) => [
        name,
        (params: object = {}) => call(options, operation, params),
      ]),
    )
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, bind(group)])) as Client
}

async function call(
  { baseUrl, key, fetch: send = fetch }: ClientOptions,
  { method, path }: Operation,
  params: object,
): Promise<unknown> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined) as [string, unknown][]
  const url = `${baseUrl.replace(/\/+$/, '')}/api/v1${path}`
  const headers: Record<string, string> = key === '' ? {} : { 'X-Auth-Token': key }
  const query = method === 'GET' && given.length > 0 ? `?${asForm(given).toString()}` : ''
  const response = await (method === 'GET'
    ? send(url + query, { headers })
    : send(url, { method, headers, body: bodyOf(given) }))
  const file = fileOf(response)
  if (file)
    return { result: 'success', file: { ...file, bytes: new Uint8Array(await response.arrayBuffer()) } }
  const body = await jsonOf(response)
  if (!response.ok || body.result === 'error') throw new ApiError(response.status, body)
  return body
}

const bodyOf = (given: [string, unknown][]): URLSearchParams | FormData =>
  given.some(([, value]) => value instanceof Blob) ? asMultipart(given) : asForm(given)

const asForm = (given: [string, unknown][]): URLSearchParams =>
  new URLSearchParams(given.map(([name, value]): [string, string] => [name, asText(value)]))

function asMultipart(given: [string, unknown][]): FormData {
  const form = new FormData()
  for (const [name, value] of given) {
    if (value instanceof Blob) form.append(name, value)
    else form.append(name, asText(value))
  }
  return form
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A console sends a file as an attachment, whatever its type. */
function fileOf({ ok, headers }: Response): Omit<AnsweredFile, 'bytes'> | undefined {
  const name = /^attachment; *filename=(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1]
  return ok && name !== undefined ? { name, contentType: headers.get('content-type') ?? '' } : undefined
}

/** The answer as JSON. Something else between may answer in another way: that is an error, too. */
async function jsonOf(response: Response): Promise<ErrorBody> {
  const text = await response.text()
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    const what = text.slice(0, 80).replace(/\s+/g, ' ').trim()
    const message = `${response.url} answered ${response.status} and no JSON: ${what}`
    throw new ApiError(response.status, { message })
  }
}
