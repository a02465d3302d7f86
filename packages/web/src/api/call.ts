// The one way to the console: an operation of the contract, by its group and name. The types are those of the SDK; its code,
// which brings the whole contract, stays outside.
import type { Client } from '@rookery/sdk/types.ts'
import { operations } from '../operations.gen.ts'
import { Problem, problemOf } from '../problem.ts'
import { pageHalf } from '../session/page-half.ts'

type Operations = typeof operations
export type GroupName = keyof Client & keyof Operations
export type Name<G extends GroupName> = keyof Client[G] & keyof Operations[G] & string
type Call<G extends GroupName, N extends Name<G>> = Client[G][N] extends (params: infer P) => infer A
  ? { params: P; answer: Awaited<A> }
  : never
export type ParamsOf<G extends GroupName, N extends Name<G>> = Call<G, N>['params']
export type AnswerOf<G extends GroupName, N extends Name<G>> = Call<G, N>['answer']

/** Calls an operation. Throws a `Problem` for every answer but success, and for a console that cannot be reached. */
export async function call<G extends GroupName, N extends Name<G>>(
  group: G,
  name: N,
  params?: ParamsOf<G, N>,
  signal?: AbortSignal,
): Promise<AnswerOf<G, N>> {
  const [method, path] = operations[group][name] as unknown as readonly [string, string]
  const given = new URLSearchParams()
  for (const [key, value] of Object.entries(params ?? {}))
    if (value !== undefined && value !== null) given.set(key, String(value))
  const isRead = method === 'GET'
  const query = isRead && given.size > 0 ? `?${given.toString()}` : ''
  const response = await send(`/api/v1${path}${query}`, {
    method,
    headers: pageHeaders(),
    redirect: 'error',
    ...(isRead ? {} : { body: given }),
    ...(signal && { signal }),
  })
  const body = (await response.json().catch(() => undefined)) as object | undefined
  if (!response.ok || body === undefined) throw problemOf(response, body)
  noteVersion(response)
  return body as AnswerOf<G, N>
}

/** The second half of the session, which no other port of this host gets to see. */
export const pageHeaders = (): Record<string, string> => {
  const half = pageHalf.read()
  return half ? { 'X-Rookery-Page': half } : {}
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem('not-connected', 'The console does not answer.')
  }
}

let newestVersion: string | undefined
const listeners = new Set<(version: string) => void>()

/** A console that was updated says so on every answer: the page offers to reload. */
function noteVersion(response: Response): void {
  const version = response.headers.get('X-Rookery-Version')
  if (!version || version === newestVersion) return
  newestVersion = version
  for (const listener of listeners) listener(version)
}

/** Calls back with the version of the console whenever another one answers; answers how to stop. */
export function onVersion(listener: (version: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
