// The typed client: one function for each operation, folded from the contract.
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Answer, Group, Operation, Params } from '@rookery/contract/operation.ts'

type Groups = typeof groups

/** What a caller may leave out: parameters with a default, and optional ones. */
type Given<O> = Partial<Params<O>>

/** `file` is there when the operation answered with a file instead of JSON. */
type Answered<O> = Answer<O> & { readonly result: string; readonly file?: Uint8Array }

export type Client = {
  readonly [G in keyof Groups]: {
    readonly [O in keyof Groups[G]]: (params?: Given<Groups[G][O]>) => Promise<Answered<Groups[G][O]>>
  }
}

export interface ClientOptions {
  /** Such as `https://console.example.org`. */
  readonly baseUrl: string
  /** 32 hex digits; sent as a header, so that it stays out of proxies' logs. */
  readonly key: string
  readonly fetch?: typeof fetch
}

interface ErrorBody {
  readonly result?: string
  readonly message?: string
  readonly error?: string
  readonly details?: Record<string, string>
  readonly request_id?: string
}

/** What the console answered instead of success. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, string>>
  readonly requestId: string

  constructor(status: number, body: ErrorBody) {
    super(body.message ?? `The console answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.error ?? 'unknown'
    this.details = body.details ?? {}
    this.requestId = body.request_id ?? ''
  }
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
  const entries = Object.entries(params).filter(([, value]) => value !== undefined)
  const texts = entries.map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  const form = new URLSearchParams(texts)
  const url = `${baseUrl.replace(/\/$/, '')}/api/v1${path}`
  const headers = { 'X-Auth-Token': key }
  const response = await (method === 'GET'
    ? send(texts.length > 0 ? `${url}?${form.toString()}` : url, { headers })
    : send(url, { method, headers, body: form }))
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (!isJson && response.ok) return { result: 'success', file: new Uint8Array(await response.arrayBuffer()) }
  const body = (isJson ? await response.json() : {}) as ErrorBody
  if (!response.ok || body.result === 'error') throw new ApiError(response.status, body)
  return body
}
