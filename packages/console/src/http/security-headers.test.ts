import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { ADMIN, openTestConsole } from '../../test/test-console.ts'
import { VERSION } from '../version.ts'

const HEADERS = [
  'cache-control: no-store',
  "content-security-policy: default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy: same-origin',
  'referrer-policy: no-referrer',
  'x-content-type-options: nosniff',
  `x-rookery-version: ${VERSION}`,
]

/** The status and the header lines, in small letters, that these bytes are answered with. */
function exchange(apiUrl: string, bytes: string): Promise<{ status: number; lines: string[] }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(apiUrl).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (piece: Buffer) => {
      text += piece.toString()
      if (!text.includes('\r\n\r\n')) return
      const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').toLowerCase().split('\r\n')
      resolve({ status: Number(first.split(' ')[1]), lines })
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

it.each<[string, string, string, number]>([
  ['an answer', `GET /api/v1/ping?auth_token=${ADMIN}`, '', 200],
  ['a list', `GET /api/v1/incidents/all?auth_token=${ADMIN}`, '', 200],
  ['a file', `GET /api/v1/openapi.json`, '', 200],
  ['a call without a key', 'GET /api/v1/ping', '', 401],
  ['an unknown path', 'GET /api/v1/none', '', 404],
  ['a wrong method', 'POST /api/v1/ping', 'Content-Length: 0\r\n', 405],
  ['a path that cannot be decoded', 'GET /api/v1/%E0%A4%A', '', 400],
  ['a header that is too large', 'GET /api/v1/ping', `X: ${'x'.repeat(20_000)}\r\n`, 431],
  ['metrics', 'GET /metrics', '', 200],
  ['health', 'GET /healthz', '', 200],
])(
  '%s may not be cached, sniffed, referred to or embedded elsewhere, loads nothing, and names the version',
  async (_name, line, extra, status) => {
    const { console } = await openTestConsole()
    const answer = await exchange(console.apiUrl ?? '', `${line} HTTP/1.1\r\nHost: localhost\r\n${extra}\r\n`)
    expect([answer.status, answer.lines]).toEqual([status, expect.arrayContaining(HEADERS)])
  },
)

it('an address of https is kept to for a year, any other is not spoken of', async () => {
  const spoken = async (publicUrl: string): Promise<string[]> => {
    const { console } = await openTestConsole({ env: { ROOKERY_PUBLIC_URL: publicUrl } })
    const { port } = new URL(console.linkUrl ?? '')
    const { lines } = await exchange(`http://127.0.0.1:${port}`, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    return lines.filter((line) => line.startsWith('strict-transport-security'))
  }
  expect(await spoken('https://console.example.org')).toEqual(['strict-transport-security: max-age=31536000'])
  expect(await spoken('http://console.example.org')).toEqual([])
  expect(await spoken('')).toEqual([])
})

it('metrics are refused to a page whose own name resolves to loopback, but not to the bearer of the token', async () => {
  const token = 'a token of metrics'
  const { console } = await openTestConsole({ env: { ROOKERY_METRICS_TOKEN: token } })
  const status = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${console.apiUrl ?? ''}/metrics`, { headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      sent.on('error', reject).end()
    })
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '[::1]:8080'])
    expect([host, await status({ Host: host })]).toEqual([host, 200])
  for (const host of [
    'rebound.example.org',
    'rebound.example.org:8080',
    'localhost.example.org',
    '127.0.0.1.example.org',
  ])
    expect([host, await status({ Host: host })]).toEqual([host, 403])
  expect(await status({ Host: 'console.example.org', Authorization: `Bearer ${token}` })).toBe(200)
})

it.each([
  ['nginx as it is configured by default', 'HTTP/1.0', 'Connection: close'],
  ['a proxy that names the client', 'HTTP/1.1', 'X-Real-IP: 192.0.2.7'],
  ['a proxy that names itself', 'HTTP/1.1', 'Via: 1.1 gateway'],
  ['a proxy that names its own host', 'HTTP/1.1', 'X-Forwarded-Host: console.example.org'],
])('metrics are refused to clients of %s on the same machine', async (_name, version, header) => {
  const { console } = await openTestConsole()
  const head = `GET /metrics ${version}\r\nHost: 127.0.0.1:8080\r\n${header}\r\n\r\n`
  const { status } = await exchange(console.apiUrl ?? '', head)
  expect(status).toBe(403)
})
