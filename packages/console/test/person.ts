// A person at a browser: the two halves of a session, kept and sent as the console's page does.
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { createUser } from '../src/stores/users/create.ts'
import { hashPassword } from '../src/secrets/passwords.ts'
import type { UserRow } from '../src/stores/users/store.ts'
import type { Params, TestConsole } from './test-console.ts'

export const PASSWORD = 'kestrel over the harbour'
export const ANN = 'ann@example.com'

export interface Halves {
  readonly cookie?: string | undefined
  readonly page?: string | undefined
}

export interface PersonAnswer {
  readonly status: number
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
  /** The halves that the answer gives. */
  readonly halves: Halves
}

export type HeadersOf = Readonly<Record<string, string>>

/** Straight into the table, an admin by default. */
export async function addPerson(
  { console: { base } }: TestConsole,
  email = ANN,
  more: Partial<Pick<UserRow, 'access_level' | 'no_direct_login'>> = {},
): Promise<UserRow> {
  const password_hash = await hashPassword(base.world.random, PASSWORD, base.passwordCost)
  return base.writer.write((tx) =>
    createUser(tx, base.world, { email, password_hash, access_level: 'admin', ...more }),
  )
}

/** Asks with these halves, from the console's own page unless the headers say otherwise. */
export async function askAs(
  rookery: TestConsole,
  halves: Halves,
  method: 'GET' | 'POST',
  path: string,
  params: Params = {},
  headers: HeadersOf = {},
): Promise<PersonAnswer> {
  const response = await openAs(rookery, halves, method, path, params, headers)
  const set = response.headers.get('set-cookie') ?? ''
  const json = (await response.json()) as Record<string, unknown>
  return {
    status: response.status,
    headers: response.headers,
    json,
    halves: {
      cookie: /^__Host-rookery=([0-9a-f]{64});/.exec(set)?.[1],
      page: json['page_half'] as string | undefined,
    },
  }
}

/** The same, before the answer is read. */
export function openAs(
  { console: { apiUrl = '' } }: TestConsole,
  { cookie, page }: Halves,
  method: 'GET' | 'POST',
  path: string,
  params: Params = {},
  headers: HeadersOf = {},
): Promise<Response> {
  const form = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const all = {
    ...(cookie !== undefined && { Cookie: `theme=dark; __Host-rookery=${cookie}` }),
    ...(page !== undefined && { 'X-Rookery-Page': page }),
    ...(method === 'POST' && {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(apiUrl).origin,
      'Sec-Fetch-Site': 'same-origin',
    }),
    ...headers,
  }
  const url = `${apiUrl}/api/v1${path}`
  // Not by `fetch`: that chooses the header `Host` itself.
  return new Promise((resolve, reject) => {
    const asked = request(method === 'GET' ? `${url}?${form.toString()}` : url, { method, headers: all })
    asked.once('error', (error) => reject(new Error(`${method} ${path}`, { cause: error })))
    asked.once('response', (response) => {
      const answered = Object.entries(response.headersDistinct).map(
        ([name, values = []]): [string, string] => [name, values.join(', ')],
      )
      const body = Readable.toWeb(response) as ReadableStream<Uint8Array>
      resolve(new Response(body, { status: response.statusCode ?? 0, headers: answered }))
    })
    asked.end(method === 'POST' ? form.toString() : undefined)
  })
}

export const signIn = (
  rookery: TestConsole,
  { email = ANN, password = PASSWORD, halves = {}, headers = {} }: SignIn = {},
): Promise<PersonAnswer> => askAs(rookery, halves, 'POST', '/session/password', { email, password }, headers)

interface SignIn {
  readonly email?: string
  readonly password?: string
  /** Of the session that the browser has already. */
  readonly halves?: Halves
  readonly headers?: HeadersOf
}
