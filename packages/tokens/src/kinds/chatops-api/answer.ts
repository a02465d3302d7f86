// What a client of Slack is answered: a webhook takes every message, a method of the API knows no token.
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'

const COMMON = { 'Cache-Control': 'no-store', 'X-Slack-Backend': 'r' }

/** The method of the Web API that a request names, such as `auth.test`; empty for none. */
export function apiMethodOf({ path }: HttpVisit): string {
  const [pathname = ''] = path.split('?')
  return /\/([a-z][A-Za-z]*(?:\.[A-Za-z]+)+)$/.exec(pathname)?.[1] ?? ''
}

export function slackAnswer(visit: HttpVisit): HttpAnswer {
  if (apiMethodOf(visit) !== '') return json({ ok: false, error: 'invalid_auth' })
  if (visit.method !== 'POST') return text(302, '', { Location: 'https://slack.com/' })
  return text(200, 'ok')
}

const json = (value: object): HttpAnswer => ({
  status: 200,
  headers: { ...COMMON, 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

const text = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status,
  headers: { ...COMMON, ...headers, 'Content-Type': 'text/html; charset=utf-8' },
  body,
})
