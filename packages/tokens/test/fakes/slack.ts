// A workspace of Slack on loopback: three methods of its Web API, and the access logs of their callers.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeLogin {
  user_id: string
  username: string
  date_first: number
  date_last: number
  count: number
  ip: string
  user_agent: string
  isp: string
  country: string
  region: string
}

export interface FakeSlack {
  /** The base address of the methods. */
  readonly url: string
  readonly adminToken: string
  /** Adds a user; answers a token of theirs. */
  addUser(name: string, team?: string): { readonly token: string; readonly userId: string }
  /** Every entry, as the admin sees it. */
  readonly logins: FakeLogin[]
  /** Methods that were called, with the token. */
  readonly calls: { readonly method: string; readonly token: string }[]
  /** What the access logs answer instead, such as `paid_only`; undefined for the logs. */
  logsError: string | undefined
  /** What every call is answered, such as 503; 0 for its answer. */
  failWith: number
  close(): Promise<void>
}

const TEAM = { id: 'T0AAAAAAA', name: 'Example', url: 'https://example.slack.com/' }

/** `nowS` is the time of new entries, in seconds. */
export async function openFakeSlack(nowS: () => number): Promise<FakeSlack> {
  const users = new Map<string, { userId: string; name: string; team: string }>()
  const revoked = new Set<string>()
  const adminToken = 'xoxp-admin-1'
  users.set(adminToken, { userId: 'UADMIN', name: 'admin', team: TEAM.id })

  function record(token: string, ip: string, agent: string): void {
    const user = users.get(token)
    if (!user || token === adminToken) return
    const same = fake.logins.find(
      (it) => it.user_id === user.userId && it.ip === ip && it.user_agent === agent,
    )
    if (same) return void Object.assign(same, { count: same.count + 1, date_last: nowS() })
    fake.logins.unshift({
      user_id: user.userId,
      username: user.name,
      ip,
      user_agent: agent,
      count: 1,
      date_first: nowS(),
      date_last: nowS(),
      isp: 'Example Net',
      country: 'DE',
      region: 'BE',
    })
  }

  function accessLogs(token: string, form: URLSearchParams): object {
    if (token !== adminToken) return { ok: false, error: 'missing_scope', needed: 'admin' }
    if (fake.logsError !== undefined) return { ok: false, error: fake.logsError }
    const [count, page] = [Number(form.get('count') ?? 100), Number(form.get('page') ?? 1)]
    const sorted = fake.logins.toSorted((a, b) => b.date_last - a.date_last)
    const pages = Math.max(1, Math.ceil(sorted.length / count))
    return {
      ok: true,
      logins: sorted.slice((page - 1) * count, page * count),
      paging: { count, total: sorted.length, page, pages },
    }
  }

  function answer(method: string, token: string, form: URLSearchParams): object {
    const user = users.get(token)
    if (token === '') return { ok: false, error: 'not_authed' }
    if (!user) return { ok: false, error: revoked.has(token) ? 'token_revoked' : 'invalid_auth' }
    const { userId, name, team } = user
    switch (method) {
      case 'auth.test':
        return { ok: true, url: TEAM.url, team: TEAM.name, user: name, team_id: team, user_id: userId }
      case 'auth.revoke':
        users.delete(token)
        revoked.add(token)
        return { ok: true, revoked: true }
      case 'team.accessLogs':
        return accessLogs(token, form)
      default:
        return { ok: false, error: 'unknown_method' }
    }
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const form = new URLSearchParams(body)
      const method = request.url?.replace(/^\/api\//, '') ?? ''
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? form.get('token') ?? ''
      fake.calls.push({ method, token })
      if (fake.failWith !== 0) return response.writeHead(fake.failWith).end()
      record(token, request.socket.remoteAddress ?? '', request.headers['user-agent'] ?? '')
      response.setHeader('content-type', 'application/json; charset=utf-8')
      return response.end(JSON.stringify(answer(method, token, form)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeSlack = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    adminToken,
    addUser(name, team = TEAM.id) {
      const token = `xoxp-${users.size}-${name}`
      const userId = `U${name.toUpperCase()}`
      users.set(token, { userId, name, team })
      return { token, userId }
    },
    logins: [],
    calls: [],
    logsError: undefined,
    failWith: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
