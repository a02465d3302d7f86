// The one way to the console: an operation of the contract, by its group and name. The types are those of the SDK; its code,
// which brings the whole contract, stays outside.
import type { Client } from '@rookery/sdk/types.ts'
import type { Branded } from '../kit/hostile.ts'
import { operations } from '../operations.gen.ts'
import { Problem, problemOf } from '../problem.ts'
import { words } from '../words/en.ts'
import { pageHalf } from '../session/page-half.ts'
import { stepUp } from '../session/step-up.ts'

type Operations = typeof operations
export type GroupName = keyof Client & keyof Operations
export type Name<G extends GroupName> = keyof Client[G] & keyof Operations[G] & string
type Call<G extends GroupName, N extends Name<G>> = Client[G][N] extends (params: infer P) => infer A
  ? { params: P; answer: Awaited<A> }
  : never
export type ParamsOf<G extends GroupName, N extends Name<G>> = Call<G, N>['params']

/** Fields of answers that an intruder could have written; a group that has none is not here. */
interface HostileFields {
  readonly incidentViews: 'place' | 'src_host' | 'src_name' | 'name' | 'value'
  readonly incidentQueries:
    | 'src_host'
    | 'src_host_reverse'
    | 'memo'
    | 'name'
    | 'text'
    | 'by'
    | 'acknowledged_by'
  readonly deliveries: 'url_host' | 'reason' | 'body'
  readonly tokens: 'memo'
  readonly ignoreRules: 'line' | 'ignored_by' | 'reason'
  readonly ignoredTouches: 'src_host' | 'name' | 'entry'
}
export type AnswerOf<G extends GroupName, N extends Name<G>> = G extends keyof HostileFields
  ? Branded<Call<G, N>['answer'], HostileFields[G]>
  : Call<G, N>['answer']

interface Body {
  readonly error?: string
}

/** Calls an operation. Throws a `Problem` for every answer but success, and for a console that cannot be reached. */
export async function call<G extends GroupName, N extends Name<G>>(
  group: G,
  name: N,
  params?: ParamsOf<G, N>,
  signal?: AbortSignal,
): Promise<AnswerOf<G, N>> {
  return (await read(group, await answered(asked(group, name), params, signal))) as unknown as AnswerOf<G, N>
}

/** Sends a form to an operation that the console itself named (`receivers/kinds`): its path below `/api/v1`. */
export async function send(
  path: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!/^(\/[\w-]+)+$/.test(path)) throw new Problem('unknown', words.problem.badPath)
  return (await read('receiverOverview', await answered(['POST', path], params))) as Record<string, unknown>
}

/** Method and path. */
type Asked = readonly [string, string]

const asked = (group: GroupName, name: string): Asked =>
  (operations[group] as Record<string, unknown>)[name] as Asked

/** Calls an operation that answers a file. */
export async function callForFile<G extends GroupName, N extends Name<G>>(
  group: G,
  name: N,
  params?: ParamsOf<G, N>,
): Promise<{ readonly blob: Blob; readonly filename: string }> {
  const response = await answered(asked(group, name), params)
  if (!response.ok) await read(group, response)
  reached.ring(true)
  const said = response.headers.get('Content-Disposition') ?? ''
  return { blob: await response.blob(), filename: /filename="?([^";]+)/.exec(said)?.[1] ?? 'download' }
}

/** Asks once more where the session got new halves meanwhile, and after another proof where the operation wants one. */
async function answered(operation: Asked, params: unknown, signal?: AbortSignal): Promise<Response> {
  const half = pageHalf.read()
  const first = await request(operation, params, signal)
  if (first.status === 401 && half !== pageHalf.read()) return request(operation, params, signal)
  if (first.status !== 403) return first
  const { error } = ((await first
    .clone()
    .json()
    .catch(() => undefined)) ?? {}) as Body
  return error === 'step-up' && (await stepUp()) ? request(operation, params, signal) : first
}

function request([method, path]: Asked, params: unknown, signal?: AbortSignal): Promise<Response> {
  const entries = Object.entries(params ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const isRead = method === 'GET'
  // A file goes as multipart/form-data.
  const given = entries.some(([, value]) => value instanceof Blob) ? new FormData() : new URLSearchParams()
  for (const [key, value] of entries)
    if (given instanceof FormData && value instanceof Blob) given.set(key, value)
    else given.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  const query = isRead && entries.length > 0 ? `?${String(given)}` : ''
  return reach(`/api/v1${path}${query}`, {
    method,
    headers: pageHeaders(),
    redirect: 'error',
    ...(isRead ? {} : { body: given }),
    ...(signal && { signal }),
  })
}

async function read(group: GroupName, response: Response): Promise<object> {
  const body = (await response.json().catch(() => undefined)) as object | undefined
  // A proxy that finds no console answers in its own words.
  reached.ring(body !== undefined)
  if (body !== undefined) noteVersion(response)
  if (response.status === 401 && group !== 'sessions' && group !== 'tickets') ended.ring()
  if (!response.ok || body === undefined) throw problemOf(response, body)
  return body
}

/** The second half of the session, which no other port of this host gets to see. */
export const pageHeaders = (): Record<string, string> => {
  const half = pageHalf.read()
  return half ? { 'X-Rookery-Page': half } : {}
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    reached.ring(false)
    throw new Problem('not-connected', 'The console does not answer.')
  }
}

/** A list of those who want to hear of something; each `on` answers how to stop. */
function bell<A extends readonly unknown[]>() {
  const listeners = new Set<(...args: A) => void>()
  return {
    ring(...args: A): void {
      for (const listener of listeners) listener(...args)
    },
    on(listener: (...args: A) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const reached = bell<[isReached: boolean]>()
const ended = bell<[]>()
const version = bell<[version: string]>()

/** After each call: whether the console answered. */
export const onReached = reached.on
/** A call found that the session is over. */
export const onEnded = ended.on
/** Another version of the console answers. */
export const onVersion = version.on

let newestVersion: string | undefined

/** A console that was updated says so on every answer: the page offers to reload. */
function noteVersion(response: Response): void {
  const answered = response.headers.get('X-Rookery-Version')
  if (!answered || answered === newestVersion) return
  newestVersion = answered
  version.ring(answered)
}
