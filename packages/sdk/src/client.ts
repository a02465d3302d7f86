// The typed client: one function for each operation of the contract.
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group, Operation } from '@rookery/contract/operation.ts'
import { ApiError, type ErrorBody } from './api-error.ts'
import type { AnsweredFile, Client } from './types.ts'

export interface ClientOptions {
  /** Such as `https://console.example.org`. */
  readonly baseUrl: string
  /**
   * An API key, 32 hex digits. It is sent as a header, because proxies log URLs. Empty for a client that only creates
   * and downloads tokens with a `factory_auth`.
   */
  readonly key: string
  readonly fetch?: typeof fetch
}

/** A client of one console. A function rejects with an `ApiError` unless the console answers success. */
export function openClient(options: ClientOptions): Client {
  const functionsOf = (group: Group): object =>
    Object.fromEntries(
      Object.entries(group).map(([name, operation]) => [
        name,
        (params: object = {}) => call(options, operation, params),
      ]),
    )
  return Object.fromEntries(
    Object.entries(groups).map(([name, group]) => [name, functionsOf(group)]),
  ) as Client
}

async function call(
  { baseUrl, key, fetch: send = fetch }: ClientOptions,
  { method, path }: Operation,
  params: object,
): Promise<unknown> {
  const present = Object.entries(params).filter(([, value]) => value !== undefined) as [string, unknown][]
  const url = `${baseUrl.replace(/\/+$/, '')}/api/v1${path}`
  const headers: Record<string, string> = key === '' ? {} : { 'X-Auth-Token': key }
  const query = method === 'GET' && present.length > 0 ? `?${asForm(present).toString()}` : ''
  const response = await (method === 'GET'
    ? send(url + query, { headers, redirect: 'manual' })
    : send(url, { method, headers, redirect: 'manual', body: bodyOf(present) }))
  refuseRedirect(response, url)
  const file = fileOf(response)
  if (file)
    return { result: 'success', file: { ...file, bytes: new Uint8Array(await response.arrayBuffer()) } }
  const body = await jsonOf(response)
  if (!response.ok || body.result === 'error') throw new ApiError(response.status, body)
  return body
}

/** `fetch` would send the header with the key to whatever host a redirect names. A browser shows it as status 0. */
function refuseRedirect({ type, status, headers }: Response, url: string): void {
  if (type !== 'opaqueredirect' && !(status >= 300 && status < 400)) return
  const to = headers.get('location') ?? 'another address'
  const message = `${url} answered with a redirect to ${to}, which is not followed: give the console's own base URL.`
  throw new ApiError(status, { message })
}

const bodyOf = (params: [string, unknown][]): URLSearchParams | FormData =>
  params.some(([, value]) => value instanceof Blob) ? asMultipart(params) : asForm(params)

const asForm = (params: [string, unknown][]): URLSearchParams =>
  new URLSearchParams(params.map(([name, value]): [string, string] => [name, asText(value)]))

function asMultipart(params: [string, unknown][]): FormData {
  const form = new FormData()
  for (const [name, value] of params) {
    if (value instanceof Blob) form.append(name, value)
    else form.append(name, asText(value))
  }
  return form
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A console sends every file as an attachment. */
function fileOf({ ok, headers }: Response): Omit<AnsweredFile, 'bytes'> | undefined {
  const name = /^attachment; *filename=(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1]
  return ok && name !== undefined ? { name, contentType: headers.get('content-type') ?? '' } : undefined
}

/** The answer as JSON. A proxy may answer otherwise: that is an `ApiError`, too. */
async function jsonOf(response: Response): Promise<ErrorBody> {
  const text = await response.text()
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    const start = text.slice(0, 80).replace(/\s+/g, ' ').trim()
    const message = `${response.url} answered ${response.status} without JSON: ${start}`
    throw new ApiError(response.status, { message })
  }
}
