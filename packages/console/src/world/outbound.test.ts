import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { SecureVersion, TlsOptions, TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeAuthority } from '../../test/certificates.ts'
import { listen, unusedPort } from '../../test/listen.ts'
import { parseRanges } from '../addresses/ranges.ts'
import { openOutbound } from './outbound.ts'
import { isEgressAllowed } from './egress-policy.ts'

const nothing = parseRanges('', 'allow')
const loopback = parseRanges('127.0.0.0/8', 'allow')

/** Names that a hostile zone may answer with; none of them is ever asked of a real resolver. */
const zone: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'loop.test': ['127.0.0.1'],
  'loop6.test': ['::1'],
  'private.test': ['10.1.2.3'],
  'metadata.test': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'mappedhex.test': ['::ffff:7f00:1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'zone.test': ['fe80::1%lo'],
  'many.test': ['10.0.0.1', '192.168.1.1', '::1'],
  'garbage.test': ['not an address', '', '999.1.1.1'],
  'nowhere.test': [],
}
const resolver = { addresses: (name: string) => Promise.resolve(zone[name] ?? []) }

const TRICKS = [
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.1/',
  'http://127.255.255.254/',
  'http://%31%32%37.0.0.1/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0x0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:7f00:0001]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://3232235777/',
  'http://100.64.0.1/',
  'http://100.100.100.200/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.170.2/v2/credentials',
  'http://0xA9FEA9FE/',
  'http://2852039166/',
  'http://0251.0376.0251.0376/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  'http://198.18.0.1/',
  'http://192.0.2.1/',
  'http://203.0.113.7/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'https://127.0.0.1/',
  'https://[::1]/',
  ...Object.keys(zone).map((name) => `http://${name}/`),
  'http://LOCALHOST/',
  'http://loop.test:80#@example.com/',
  'http://user@127.0.0.1/',
  'http://example.com@127.0.0.1/',
  'http://example.com:80@127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  ' http://127.0.0.1/ ',
  'ht\ntp://127.0.0.1/',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:6379/_INFO',
  'javascript:1',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  '//127.0.0.1/',
  'http://',
  '',
]

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> =>
  listen(createServer({ keepAlive: true }, answer))

function open(allow = loopback, names = resolver) {
  const outbound = openOutbound(allow, names)
  onTestFinished(() => outbound.close())
  return outbound
}

const post = (url: string, timeoutMs = 5_000) =>
  ({ url, method: 'POST', headers: {}, body: '{}', timeoutMs }) as const

describe('the way out', () => {
  it(`refuses ${TRICKS.length} spellings of addresses that are not public`, async () => {
    expect(TRICKS.length).toBeGreaterThanOrEqual(60)
    const outbound = open(nothing)
    const admitted: string[] = []
    for (const url of TRICKS) {
      const reason = await outbound.send(post(url, 1_000)).then(
        () => 'answered',
        (error: Error) => error.message,
      )
      if (!/not a public address|has no address|not a URL|Only http|no credentials/.test(reason))
        admitted.push(`${url}: ${reason}`)
    }
    expect(admitted).toEqual([])
  })

  it('knows public addresses from special ones', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
    ]) {
      expect([address, isEgressAllowed(address, nothing)]).toEqual([address, true])
    }
    const allow = parseRanges('10.1.0.0/16, fd00::/8', 'allow')
    expect(isEgressAllowed('10.1.2.3', allow)).toBe(true)
    expect(isEgressAllowed('::ffff:a01:203', allow)).toBe(true)
    expect(isEgressAllowed('10.2.0.1', allow)).toBe(false)
    expect(isEgressAllowed('fd00::5', allow)).toBe(true)
  })

  it('dials what was checked: a name that turns private between two calls is refused', async () => {
    let calls = 0
    const port = await serve((_request, response) => response.writeHead(200, { connection: 'close' }).end())
    const answers = [['127.0.0.1'], ['127.0.0.9', '10.0.0.1']]
    const outbound = open(parseRanges('127.0.0.1', 'allow'), {
      addresses: () => Promise.resolve(answers[calls++] ?? []),
    })
    expect((await outbound.send(post(`http://rebind.test:${port}/`))).status).toBe(200)
    await expect(outbound.send(post(`http://rebind.test:${port}/`))).rejects.toThrow(
      'rebind.test (127.0.0.9, 10.0.0.1) is not a public address',
    )
    expect(calls).toBe(2)
  })

  it('asks the resolver once a connection and never dials the refused half of an answer', async () => {
    const seen: (string | undefined)[] = []
    const port = await serve((request, response) => {
      seen.push(request.socket.localAddress)
      response.end('ok')
    })
    const outbound = open(parseRanges('127.0.0.1', 'allow'), {
      addresses: () => Promise.resolve(['::1', '127.0.0.1']),
    })
    expect((await outbound.send(post(`http://half.test:${port}/`))).body).toBe('ok')
    expect(seen).toEqual(['127.0.0.1'])
  })

  it('gives status, headers and body, with the host that the URL names', async () => {
    const port = await serve((request, response) => {
      response.writeHead(202, { 'x-host': request.headers.host, 'retry-after': '7' }).end('fine')
    })
    const answer = await open().send({ ...post(`http://loop.test:${port}/a?b`), headers: { 'x-own': 'yes' } })
    expect(answer).toMatchObject({
      status: 202,
      body: 'fine',
      headers: { 'x-host': `loop.test:${port}`, 'retry-after': '7' },
    })
  })

  /** What `tell` says of the connection to a server of TLS that is set up so. */
  async function overTls(settings: TlsOptions, tell: (socket: TLSSocket) => string | null): Promise<string> {
    const { ca, key, cert } = makeAuthority()
    const server = createTlsServer({ key, cert, ...settings }, (request, response) =>
      response.end(tell(request.socket as TLSSocket)),
    )
    const port = await listen(server)
    const outbound = openOutbound(loopback, { addresses: () => Promise.resolve([]) }, [ca])
    onTestFinished(() => outbound.close())
    return (await outbound.send(post(`https://127.0.0.1:${port}/`))).body
  }

  // Without the level, OpenSSL itself would refuse at the server.
  const ANY_CIPHER = 'ALL:@SECLEVEL=0'

  it('speaks TLS 1.2 and newer, and the newest that the server speaks', async () => {
    const ask = (maxVersion: SecureVersion): Promise<string> =>
      overTls({ ciphers: ANY_CIPHER, minVersion: 'TLSv1', maxVersion }, (socket) => socket.getProtocol())
    await expect(ask('TLSv1.1')).rejects.toThrow(/protocol version/)
    expect([await ask('TLSv1.2'), await ask('TLSv1.3')]).toEqual(['TLSv1.2', 'TLSv1.3'])
  })

  it('takes ciphers that are sound, and of them those that encrypt best', async () => {
    const ask = (ciphers: string): Promise<string> =>
      overTls({ ciphers, maxVersion: 'TLSv1.2', dhparam: 'auto' }, (socket) => socket.getCipher().name)
    const unsound = [
      'ADH-AES256-GCM-SHA384',
      'AECDH-AES256-SHA',
      'ECDHE-RSA-NULL-SHA',
      'PSK-AES256-GCM-SHA384',
    ]
    for (const cipher of unsound)
      await expect(ask(`${cipher}:@SECLEVEL=0`)).rejects.toThrow(/handshake failure/)
    expect(await ask(ANY_CIPHER)).toMatch(/^ECDHE-(ECDSA|RSA)-(AES256-GCM|AES128-GCM|CHACHA20)/)
  })

  it('does not follow a redirect', async () => {
    let asked = 0
    const port = await serve((_request, response) => {
      asked++
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect((await open().send(post(`http://127.0.0.1:${port}/`))).status).toBe(307)
    expect(asked).toBe(1)
  })

  it('reads 4 KiB of an endless answer and no more', async () => {
    const port = await serve((_request, response) => {
      const pour = (): void => {
        while (response.write('x'.repeat(1024)));
        response.once('drain', pour)
      }
      pour()
    })
    expect((await open().send(post(`http://127.0.0.1:${port}/`))).body).toBe('x'.repeat(4096))
  })

  it('keeps connections', async () => {
    const ports = new Set<number | undefined>()
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    const outbound = open()
    for (let i = 0; i < 20; i++) await outbound.send(post(`http://127.0.0.1:${port}/`))
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it('gives up in time when nothing, half an answer, or a drip comes', async () => {
    const silent = await serve(() => undefined)
    const half = await serve((_request, response) => void response.write('half'))
    const outbound = open()
    for (const port of [silent, half]) {
      await expect(outbound.send(post(`http://127.0.0.1:${port}/`, 100))).rejects.toThrow(
        'No answer within 0.1 s.',
      )
    }
  })

  it('says what happened, without the URL', async () => {
    const reset = await listen(createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy())))
    const garbage = await listen(
      createTcpServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-x\r\n')),
    )
    const free = await unusedPort()
    const outbound = open()
    const failureOf = (port: number) =>
      outbound.send(post(`http://127.0.0.1:${port}/secret`)).catch((e: Error) => e.message)
    expect(await failureOf(reset)).toMatch(/reset|closed/)
    expect(await failureOf(garbage)).toMatch(/^The c/)
    expect(await failureOf(free)).toBe('The connection was refused.')
    expect(String(await failureOf(garbage))).not.toContain('secret')
  })
})
