// Tokens by HTTPS, as clients meet them: Node's own TLS, bare sockets, and options that are wrong.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request, type RequestOptions } from 'node:https'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendBytes } from '../../../../test/bytes.ts'
import { makeAuthority } from '../../../../test/certificates.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { listen, occupy } from '../../../../test/listen.ts'
import { ownFolder } from '../../../../test/own-folder.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { OPTIONS } from '../../../config/options.ts'

const baseOf = ({ console }: TestConsole): string => `https://${console.httpsAddress}`
const portOf = (rookery: TestConsole): number => Number(new URL(baseOf(rookery)).port)
const ownAuthority = ({ console }: TestConsole): string =>
  readFileSync(console.folder.tokensAuthority, 'utf8')

interface Fetched {
  readonly status: number | undefined
  readonly text: string
}

/** Opens a path by HTTPS; rejects where the certificate is not trusted or not for the host. */
function open(rookery: TestConsole, path: string, options: RequestOptions = {}): Promise<Fetched> {
  const agent = new Agent({ keepAlive: false })
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, baseOf(rookery)),
      { agent, ...options, ca: options.ca ?? ownAuthority(rookery) },
      (response) => {
        let text = ''
        response.setEncoding('latin1').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      },
    )
    sent.on('error', reject).end()
  })
}

async function plant({ api }: TestConsole, kind = 'http'): Promise<{ path: string; url: string }> {
  const { decoytoken } = await api.tokens.create({ kind, memo: 'm', flock_id: 'flock:default' })
  return { path: new URL(decoytoken.url).pathname, url: decoytoken.url }
}

const events = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.flatMap(({ description }) => description.events)

describe.each(engines)('a token by HTTPS (%s)', (engine) => {
  it('fires as by HTTP, and its event names the port of HTTPS', async () => {
    const rookery = await openTestConsole({ engine })
    const { path } = await plant(rookery)
    const answer = await open(rookery, path, { headers: { 'User-Agent': 'curious' } })
    expect([answer.status, answer.text.slice(0, 6)]).toEqual([200, 'GIF89a'])
    expect(await events(rookery)).toEqual([
      expect.objectContaining({ src_host: '127.0.0.1', dst_port: portOf(rookery), useragent: 'curious' }),
    ])
  })
})

describe('the certificate of the token host', () => {
  it('is of an authority of its own, made once, for the names of artefacts and this machine', async () => {
    const rookery = await openTestConsole({
      env: {
        ROOKERY_TOKENS_TLS_URL: 'https://files.example.com',
        ROOKERY_TOKENS_DOMAIN: 'tokens.example.com',
      },
    })
    const made = ownAuthority(rookery)
    expect(statSync(rookery.console.folder.tokensAuthority).mode & 0o777).toBe(0o600)
    for (const servername of ['files.example.com', 'abc.tokens.example.com', 'localhost'])
      expect((await open(rookery, '/', { servername })).status).toBe(200)
    await expect(open(rookery, '/', { servername: 'other.example.com' })).rejects.toThrow('other.example.com')
    await expect(open(rookery, '/', { ca: makeAuthority().ca })).rejects.toThrow(/certificate/)
    await rookery.restart()
    expect(ownAuthority(rookery)).toBe(made)
  })

  it('is the one that the options name, by the name that the client asks for', async () => {
    const { env, ca } = certificateEnv(['a.example.com', 'b.example.com'])
    const rookery = await openTestConsole({ env })
    for (const servername of ['a.example.com', 'b.example.com'])
      expect((await open(rookery, '/', { ca, servername })).status).toBe(200)
    await expect(open(rookery, '/', { ca, servername: 'c.example.com' })).rejects.toThrow('c.example.com')
  })

  it('is read again when its files change', async () => {
    const { env, ca, write } = certificateEnv(['a.example.com'])
    const clock = manualClock(Date.now())
    const rookery = await openTestConsole({ env, world: { clock } })
    write('a.example.com', 'b.example.com')
    clock.advance(10_000)
    expect((await open(rookery, '/', { ca, servername: 'b.example.com' })).status).toBe(200)
  })

  it('stops the start where it cannot be used', async () => {
    const { env, write } = certificateEnv(['a.example.com'])
    const [certificate = ''] = env.ROOKERY_TOKENS_TLS_CERT.split(',')
    writeFileSync(certificate, 'no certificate')
    await expect(openTestConsole({ env })).rejects.toMatchObject({
      code: 'bad-input',
      message: `ROOKERY_TOKENS_TLS_CERT: ${certificate} holds no certificate in PEM; it must hold that of the token host, and behind it those of the authorities in between.`,
    })
    write('a.example.com', 'a.example.com')
    const without = { ...env, ROOKERY_TOKENS_TLS_KEY: '' }
    await expect(openTestConsole({ env: without })).rejects.toMatchObject({ code: 'bad-input' })
  })

  it('of an authority whose file is damaged is refused by the path', async () => {
    const rookery = await openTestConsole()
    const path = rookery.console.folder.tokensAuthority
    writeFileSync(path, 'nothing')
    await expect(rookery.restart()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${path} is no certificate authority`) as string,
    })
  })
})

describe('artefacts', () => {
  it('name HTTPS where browsers want it, if there is an address for it', async () => {
    const env = {
      ROOKERY_TOKENS_URL: 'http://files.example.com',
      ROOKERY_TOKENS_TLS_URL: 'https://files.example.com:8443/',
    }
    const rookery = await openTestConsole({ env })
    expect((await plant(rookery, 'pwa')).url).toMatch(/^https:\/\/files\.example\.com:8443\/\w/)
    expect((await plant(rookery, 'http')).url).toMatch(/^http:\/\/files\.example\.com\/\w/)
    const { decoytoken } = await rookery.api.tokens.create({
      kind: 'cloned-css',
      memo: 'm',
      flock_id: 'flock:default',
      custom_domain: 'cdn.example.org',
    })
    expect(decoytoken.url).toMatch(/^https:\/\/cdn\.example\.org:8443\//)
    await rookery.restart({ ROOKERY_TOKENS_TLS_URL: '' })
    expect((await plant(rookery, 'pwa')).url).toMatch(/^http:\/\/files\.example\.com\/\w/)
  })
})

describe('the listener of HTTPS', () => {
  it('is closed where its default address is taken, and stops the start where another is', async () => {
    const at = OPTIONS.ROOKERY_TOKENS_TLS_LISTEN.default
    await occupy(at)
    const rookery = await openTestConsole({ env: { ROOKERY_TOKENS_TLS_LISTEN: at } })
    expect(rookery.console.httpsAddress).toBeUndefined()
    const { channels } = await rookery.api.tokens.channels()
    expect(channels.find(({ channel }) => channel === 'https')).toMatchObject({ listens: '' })
    const asked = `127.0.0.1:${await listen(createServer())}`
    await expect(openTestConsole({ env: { ROOKERY_TOKENS_TLS_LISTEN: asked } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('ends connections that never finish a handshake, and speaks no HTTP in the clear', async () => {
    const clock = manualClock(Date.now())
    const rookery = await openTestConsole({ world: { clock } })
    const halfHello = connect(portOf(rookery), '127.0.0.1', () => halfHello.write('\x16\x03\x01\x02\0\x01'))
    const closed = new Promise((resolve) => halfHello.once('close', resolve))
    halfHello.on('error', () => undefined)
    expect(await sendBytes(baseOf(rookery), 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('HTTP')
    expect(halfHello.destroyed).toBe(false)
    clock.advance(10_000)
    await closed
  })

  it('keeps the connections of one address within the option: one that says nothing leaves for the next', async () => {
    const clock = manualClock(Date.now())
    const env = { ROOKERY_CONNECTIONS_PER_SOURCE: '2' }
    const rookery = await openTestConsole({ env, world: { clock } })
    const secured = (): Promise<TLSSocket> =>
      new Promise((resolve, reject) => {
        const options = { port: portOf(rookery), host: '127.0.0.1', rejectUnauthorized: false }
        const socket = connectTls(options, () => resolve(socket))
        onTestFinished(() => void socket.destroy())
        socket.on('error', reject).resume()
      })
    const [first] = [await secured(), await secured()]
    const closed = new Promise((resolve) => first.once('close', resolve))
    clock.advance(2_500)
    await secured()
    await closed
  })

  it('speaks TLS 1.2 and newer, and HTTP/1.1 where a client offers HTTP/2, too', async () => {
    const rookery = await openTestConsole()
    const ask = (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise<unknown>((resolve) => {
        const socket = connectTls(
          {
            port: portOf(rookery),
            host: '127.0.0.1',
            rejectUnauthorized: false,
            maxVersion,
            minVersion: 'TLSv1.1',
            ciphers: 'DEFAULT@SECLEVEL=0',
            ALPNProtocols: ['h2', 'http/1.1'],
          },
          () => resolve([socket.getProtocol(), socket.alpnProtocol]),
        )
        onTestFinished(() => void socket.destroy())
        socket.on('error', () => resolve('refused'))
      })
    expect([await ask('TLSv1.1'), await ask('TLSv1.2'), await ask('TLSv1.3')]).toEqual([
      'refused',
      ['TLSv1.2', 'http/1.1'],
      ['TLSv1.3', 'http/1.1'],
    ])
  })
})

/** Files of certificates for these hosts, of one authority. */
function certificateEnv(hosts: readonly string[]) {
  const { ca, issue } = makeAuthority()
  const folder = ownFolder()
  const pathOf = (host: string, end: string): string => join(folder, `${host}.${end}`)
  const write = (host: string, named: string): void => {
    const { cert, key } = issue([named])
    writeFileSync(pathOf(host, 'pem'), cert)
    writeFileSync(pathOf(host, 'key'), key, { mode: 0o600 })
  }
  for (const host of hosts) write(host, host)
  const env = {
    ROOKERY_TOKENS_TLS_CERT: hosts.map((host) => pathOf(host, 'pem')).join(','),
    ROOKERY_TOKENS_TLS_KEY: hosts.map((host) => pathOf(host, 'key')).join(','),
  }
  return { env, ca, write }
}
