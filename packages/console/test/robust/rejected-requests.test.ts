// What Node.js would refuse by itself at the token host: each request that names a token is one event, stored before the answer,
// and the answer is the one of the Apache that the host says it is.
import { describe, expect, it } from 'vitest'
import { sendBytes } from '../bytes.ts'
import { sharedTestConsole } from '../test-console.ts'

const rookery = sharedTestConsole({})

const speak = (bytes: string | Buffer): Promise<string> => sendBytes(rookery.console.tokensUrl ?? '', bytes)

interface Event {
  readonly method: string
  readonly src_host: string
  readonly headers: Readonly<Record<string, string>>
}

async function plant(): Promise<string> {
  const made = await rookery.post('/decoytoken/create', { kind: 'http', memo: 'm' })
  return (made.json['decoytoken'] as unknown as { decoytoken: string }).decoytoken
}

async function events(id: string): Promise<Event[]> {
  const { incidents } = (await rookery.get('/incidents/all', { shrink: false })).json as unknown as {
    incidents: { description: { node_id: string; events: Event[] } }[]
  }
  return incidents.flatMap(({ description }) => (description.node_id === id ? description.events : []))
}

const page = (status: number, reason: string, text: string): string =>
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n' +
  `<html><head>\n<title>${status} ${reason}</title>\n</head><body>\n<h1>${reason}</h1>\n${text}\n</body></html>\n`

const answer = (
  { status, reason, text }: { status: number; reason: string; text: string },
  ...between: readonly string[]
): string => {
  const body = page(status, reason, text)
  const head = [`HTTP/1.1 ${status} ${reason}`, 'Date: …', 'Server: Apache', ...between]
  const type = 'Content-Type: text/html; charset=iso-8859-1'
  return [...head, `Content-Length: ${body.length}`, 'Connection: close', type, '', body].join('\r\n')
}

const badRequest = (why = ''): string =>
  answer({
    status: 400,
    reason: 'Bad Request',
    text: `<p>Your browser sent a request that this server could not understand.<br />\n${why}</p>`,
  })
const TOO_LONG = answer({
  status: 414,
  reason: 'Request-URI Too Long',
  text: "<p>The requested URL's length exceeds the capacity\nlimit for this server.<br />\n</p>",
})
const FIELD_TOO_LONG = badRequest('Size of a request header field exceeds server limit.')
const TOO_MANY_FIELDS = badRequest("The number of request header fields exceeds this server's limit.")
const ALLOW = 'Allow: HEAD,GET,POST,OPTIONS,TRACE'
const notImplemented = (method: string): string =>
  answer(
    {
      status: 501,
      reason: 'Not Implemented',
      text: `<p>${method} not supported for current URL.<br />\n</p>`,
    },
    ALLOW,
  )
const NO_TUNNEL = answer(
  {
    status: 405,
    reason: 'Method Not Allowed',
    text: '<p>The requested method CONNECT is not allowed for this URL.</p>',
  },
  ALLOW,
)
const EXPECTATION_FAILED = answer({
  status: 417,
  reason: 'Expectation Failed',
  text:
    '<p>The expectation given in the Expect request-header\nfield could not be met by this server.\nThe client sent<pre>\n' +
    '    Expect: a&lt;b\n</pre>\n</p><p>Only the 100-continue expectation is supported.</p>',
})
const CLOSE = 'Connection: close\r\n'
const HOST = 'Host: x\r\n'

/** Requests for a token, and what Apache 2.4.71 was seen to answer. */
const REFUSED: readonly (readonly [string, (id: string) => string, string])[] = [
  ['no Host', (id) => `GET /${id} HTTP/1.1\r\n\r\n`, badRequest()],
  ['an empty Host', (id) => `GET /${id} HTTP/1.1\r\nHost:\r\n\r\n`, badRequest()],
  ['a whole URL without Host', (id) => `GET http://x/${id} HTTP/1.1\r\n\r\n`, badRequest()],
  ['an expectation without Host', (id) => `GET /${id} HTTP/1.1\r\nExpect: y\r\n\r\n`, badRequest()],
  [
    'a body announced without Host',
    (id) => `POST /${id} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na`,
    badRequest(),
  ],
  ['an expectation', (id) => `GET /${id} HTTP/1.1\r\n${HOST}Expect: a<b\r\n${CLOSE}\r\n`, EXPECTATION_FAILED],
  ['CONNECT', (id) => `CONNECT ${id}.example:443 HTTP/1.1\r\n${HOST}\r\n`, NO_TUNNEL],
  ['CONNECT without Host', (id) => `CONNECT ${id}.example:443 HTTP/1.1\r\n\r\n`, badRequest()],
  [
    'a field beyond the limit',
    (id) => `GET /${id} HTTP/1.1\r\n${HOST}A: ${'a'.repeat(8_189)}\r\n\r\n`,
    FIELD_TOO_LONG,
  ],
  [
    'a field beyond the parser',
    (id) => `GET /${id} HTTP/1.1\r\n${HOST}A: ${'a'.repeat(17_000)}\r\n\r\n`,
    FIELD_TOO_LONG,
  ],
  ['too many fields', (id) => `GET /${id} HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(100)}\r\n`, TOO_MANY_FIELDS],
  ['a URL beyond the limit', (id) => `GET /${id}?${'a'.repeat(8_200)} HTTP/1.1\r\n${HOST}\r\n`, TOO_LONG],
  ['a URL beyond the parser', (id) => `GET /${id}?${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`, TOO_LONG],
  ['an unknown method', (id) => `FOO /${id} HTTP/1.1\r\n${HOST}\r\n`, notImplemented('FOO')],
  ['an unknown method without Host', (id) => `FOO /${id} HTTP/1.1\r\n\r\n`, badRequest()],
  ['a URL with a space', (id) => `GET /${id} b HTTP/1.1\r\n${HOST}\r\n`, badRequest()],
  ['a malformed field', (id) => `GET /${id} HTTP/1.1\r\n${HOST}a b\r\n\r\n`, badRequest()],
  ['bare line feeds', (id) => `GET /${id} HTTP/1.1\nHost: x\n\n`, badRequest()],
  [
    'a transfer coding and a length',
    (id) => `POST /${id} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    badRequest(),
  ],
  [
    'a transfer coding that is none',
    (id) => `POST /${id} HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`,
    badRequest(),
  ],
  [
    'a broken chunk',
    (id) =>
      `POST /${id} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nGET /${id} HTTP/1.1\r\nUser-Agent: none\r\n\r\n`,
    badRequest(),
  ],
]

describe('a request that is refused', () => {
  it.each(REFUSED)(
    'for %s is one event, and answered by Apache, token or not',
    async (_, request, expected) => {
      const id = await plant()
      const ask = async (name: string): Promise<string> =>
        (await speak(request(name))).replace(/Date: .*? GMT/, 'Date: …')
      expect(await ask(id)).toBe(expected)
      expect(await events(id)).toHaveLength(1)
      expect(await ask('a'.repeat(25))).toBe(expected)
    },
  )

  it('by HEAD has no body, and no length of one', async () => {
    const id = await plant()
    for (const request of [
      `HEAD /${id} HTTP/1.1\r\nUser-Agent: one\r\n\r\n`,
      `HEAD /${id} HTTP/1.1\r\n${HOST}User-Agent: two\r\na b\r\n\r\n`,
    ]) {
      const said = await speak(request)
      expect(said).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\nContent-Type: [^\r]*\r\n\r\n$/)
      expect(said).not.toContain('Content-Length')
    }
    expect(await events(id)).toHaveLength(2)
  })

  it('carries what is well formed of it, and where it came from', async () => {
    const id = await plant()
    const text = `FOO /${id}/ü HTTP/1.1\r\n${HOST}user-agent: ua\r\na b\r\n__proto__: p\r\n\r\n`
    await speak(Buffer.from(text))
    const [event] = await events(id)
    expect(event).toMatchObject({
      method: 'FOO',
      src_host: '127.0.0.1',
      headers: { Host: 'x', 'User-Agent': 'ua' },
    })
    expect(Object.keys(event?.headers ?? {})).not.toContain('A b')
  })

  it('is one event behind others of its connection, which are answered first', async () => {
    const id = await plant()
    const ask = (method: string, agent: string): string =>
      `${method} /${id} HTTP/1.1\r\n${HOST}User-Agent: ${agent}\r\n\r\n`
    const gets = [0, 1, 2].map((n) => ask('GET', `ua${n}`))
    const said = await speak([...gets, ask('FOO', 'foo0'), ask('FOO', 'foo1')].join(''))
    expect([...said.matchAll(/HTTP\/1\.1 \d+/g)].map(([line]) => line)).toEqual([
      ...['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200'],
      'HTTP/1.1 501',
    ])
    const agents = (await events(id)).map(({ headers }) => headers['User-Agent'])
    expect(agents.toSorted()).toEqual(['foo0', 'ua0', 'ua1', 'ua2'])
  })

  it('is none without the MAC of this console', async () => {
    const id = await plant()
    const forged = id.slice(0, -1) + (id.endsWith('a') ? 'b' : 'a')
    await speak(`FOO /${forged} HTTP/1.1\r\n${HOST}\r\n`)
    await speak(`GET /${forged} HTTP/1.1\r\n\r\n`)
    expect(await events(id)).toEqual([])
  })
})

describe('100 Continue', () => {
  it('comes before a body alone', async () => {
    const id = await plant()
    const head = `HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n${CLOSE}`
    expect(await speak(`POST /${id} ${head}User-Agent: one\r\nContent-Length: 1\r\n\r\na`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    )
    expect(await speak(`GET /${id} ${head}User-Agent: two\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(await events(id)).toHaveLength(2)
  })
})
