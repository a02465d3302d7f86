// What an API server of Kubernetes 1.28 answers whom it does not know: 401 but for the few paths that are open to everybody.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { HttpAnswer } from '../../channels/http/visit.ts'

const json = (status: number, value: object): HttpAnswer => ({
  status,
  headers: { 'Cache-Control': 'no-cache, private', 'Content-Type': 'application/json' },
  body: `${JSON.stringify(value)}\n`,
})

const unauthorized = json(401, {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
})

const VERSION = {
  major: '1',
  minor: '28',
  gitVersion: 'v1.28.2',
  gitCommit: '89a4ea3e1e4ddd7f7572286090359983e0387b2f',
  gitTreeState: 'clean',
  buildDate: '2023-09-13T09:29:07Z',
  goVersion: 'go1.20.8',
  compiler: 'gc',
  platform: 'linux/amd64',
}
/** The version is indented. */
const version: HttpAnswer = { ...json(200, {}), body: JSON.stringify(VERSION, undefined, 2) }

const healthy: HttpAnswer = {
  status: 200,
  headers: {
    'Cache-Control': 'no-cache, private',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  },
  body: 'ok',
}

const OPEN = byWord<HttpAnswer>({
  '/version': version,
  '/healthz': healthy,
  '/livez': healthy,
  '/readyz': healthy,
})

/** A token that it does not accept is refused everywhere, as is everybody who asks for more than its health. */
export const apiServerAnswer = (path: string, hasToken: boolean): HttpAnswer =>
  (hasToken ? undefined : OPEN[path.replace(/(?<=.)\/$/, '')]) ?? unauthorized
