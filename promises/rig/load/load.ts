// The load generator as its users see it: jobs in, figures out.
import { percentile } from '../case.ts'
import { openJobs, type Jobs } from './jobs.ts'

/** Placeholder for the source's address in a request, of the same length, so that it can be overwritten. */
export const SOURCE_MARK = '###.###.###.###'

export interface Job {
  readonly host: string
  readonly port: number
  readonly connections: number
  /** Whole requests as text; each connection takes its share of them in turn. With `SOURCE_MARK`, every sending has a source of its own. */
  readonly requests: readonly string[]
  /** Ends after so long, or after so many requests. */
  readonly ms?: number
  readonly count?: number
  /** The number of the first source; go on with an earlier load's `nextSource`. */
  readonly firstSource?: number
  /** Whether to report which sources were answered with 2xx; those that waited longer than `lateMs` are listed separately. */
  readonly tellSources?: boolean
  readonly lateMs?: number
  /** Whether the loader takes a core for itself and never sleeps: for servers that answer from memory (`stay-awake.ts`). */
  readonly staysAwake?: boolean
}

export interface Load {
  readonly hits: number
  readonly perSecond: number
  readonly bytes: number
  /** Answers other than 2xx. */
  readonly refused: number
  /** Connections that broke. */
  readonly broken: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  readonly nextSource: number
  readonly answered: readonly number[]
  readonly answeredLate: readonly number[]
}

export interface Rounds {
  /** Of each round; without it 1. */
  readonly hitsEach?: number
  readonly forMs: number
  readonly bytes: number
  readonly broken: number
}

/** The figures of a load without sources, from how long each of its rounds took. */
export const loadOf = (
  latencies: readonly number[],
  { hitsEach = 1, forMs, bytes, broken }: Rounds,
): Load => ({
  hits: latencies.length * hitsEach,
  perSecond: (latencies.length * hitsEach * 1000) / forMs,
  bytes,
  refused: 0,
  broken,
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
  worst: percentile(latencies, 1),
  nextSource: 0,
  answered: [],
  answeredLate: [],
})

export type Loader = Jobs<Job, Load>

/** Pinned to a core, if one is named. */
export const openLoader = (core?: number, yields?: boolean): Loader => openJobs('load.child.ts', core, yields)

/** A GET with keep-alive and nothing that a server must think about. */
export const getRequest = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

/** A POST of a form, with keep-alive. */
export const postRequest = (
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): string => {
  const body = new URLSearchParams(form).toString()
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}

/** A visit to a token's URL, by a source of its own behind a proxy. */
export const visitRequest = (url: string): string =>
  getRequest(new URL(url).pathname, {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    Accept: '*/*',
    'X-Forwarded-For': SOURCE_MARK,
  })
