// The token channel under hostile hands: every way to touch a token fires, nothing tells a live token from a dead one,
// and a client that sends garbage, half a request, or far too much is disconnected.
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { declaredLimits } from '@rookery/kernel/limit.ts'
import { systemWorld } from '../../src/world/system.ts'
import { findTokenId, newTokenId } from '../../src/secrets/token-id.ts'
import { openVault } from '../../src/secrets/vault.ts'
import { systemRandom } from '../../src/world/system.ts'
import { sendBytes } from '../bytes.ts'
import { manualClock } from '../manual-clock.ts'
import { openTestConsole, type TestConsole } from '../test-console.ts'

const speak = (rookery: TestConsole, bytes: string | Buffer): Promise<string> =>
  sendBytes(rookery.console.tokensUrl ?? '', bytes)

async function plant(rookery: TestConsole): Promise<string> {
  const factory = await rookery.post('/decoytoken/create_factory', { flock_id: 'flock:default', memo: 'm' })
  const factory_auth = String(factory.json['factory_auth'])
  const made = await rookery.post('/decoytoken/factory/create', { factory_auth, kind: 'http', memo: 'm' })
  return (made.json['decoytoken'] as unknown as { decoytoken: string }).decoytoken
}

interface Event {
  method: string
  src_host: string
  dst_port: number
  headers: Record<string, string>
}

async function events(rookery: TestConsole): Promise<Event[]> {
  const { incidents } = (await rookery.get('/incidents/all', { shrink: false })).json as unknown as {
    incidents: { description: { events: Event[] } }[]
  }
  return incidents.flatMap(({ description }) => description.events)
}

describe('a token', () => {
  it('does not fire for robots.txt, which tells crawlers to stay away, and fires for the page behind it', async () => {
    const rookery = await openTestConsole()
    const id = await plant(rookery)
    const ask = (path: string) =>
      speak(rookery, `GET ${path} HTTP/1.1\r\nHost: ${id}.tokens.localhost\r\nConnection: close\r\n\r\n`)
    expect(await ask('/robots.txt')).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nUser-agent: \*\nDisallow: \/\n$/)
    expect(await events(rookery)).toEqual([])
    await ask('/')
    expect(await events(rookery)).toHaveLength(1)
  })

  it('fires for each request before bytes that are none, with where it arrived', async () => {
    const rookery = await openTestConsole()
    const id = await plant(rookery)
    const names = ['one', 'two', 'three', 'four']
    const gets = names.map((name) => `GET /${id} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${name}\r\n\r\n`)
    await speak(rookery, `${gets.join('')}BLA\r\n\r\n`)
    await expect.poll(async () => (await events(rookery)).length).toBe(names.length)
    const port = Number(new URL(rookery.console.tokensUrl ?? '').port)
    expect((await events(rookery)).map(({ dst_port: its }) => its)).toEqual(names.map(() => port))
  })

  it('fires by any method, in path, query and host, in any case, whatever is expected', async () => {
    const rookery = await openTestConsole()
    const id = await plant(rookery)
    const up = id.toUpperCase()
    const requests = [
      ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'REPORT'].map(
        (method) => `${method} /a/${id}/b.html HTTP/1.1\r\nHost: x`,
      ),
      `GET /?q=${id} HTTP/1.1\r\nHost: x`,
      `GET / HTTP/1.1\r\nHost: ${id}.tokens.localhost`,
      `GET / HTTP/1.1\r\nHost: ${up}.tokens.localhost`,
      `GET /${up} HTTP/1.0\r\nHost: x`,
      `GET http://${id}.example/ HTTP/1.1\r\nHost: x`,
      `GET /${id} HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected`,
      `GET /${id} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket`,
      `CONNECT ${id}.example:443 HTTP/1.1\r\nHost: x`,
    ]
    for (const [n, request] of requests.entries()) {
      const answer = await speak(rookery, `${request}\r\nUser-Agent: ua${n}\r\nConnection: close\r\n\r\n`)
      // These two Apache refuses by itself.
      const status = request.startsWith('CONNECT') ? 405 : request.includes('Expect') ? 417 : 200
      expect([request, answer.slice(0, 12)]).toEqual([request, `HTTP/1.1 ${status}`])
    }
    const agents = (await events(rookery)).map(({ headers }) => headers['User-Agent'])
    expect(agents.sort()).toEqual(requests.map((_request, n) => `ua${n}`).sort())
  })

  it('answers byte for byte what an unknown one answers', async () => {
    const rookery = await openTestConsole()
    const id = await plant(rookery)
    const orphan = newTokenId(systemRandom, rookery.console.base.vault)
    const noise = 'a'.repeat(25)
    const plain = (answer: string): string => answer.replace(/^Date: .*$/m, 'Date:')
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'CONNECT']) {
      for (const more of [
        '',
        'Accept: text/html\r\n',
        'Accept: image/*\r\n',
        'Expect: x\r\n',
        'Upgrade: h2c\r\n',
      ]) {
        const ask = async (name: string): Promise<string> => {
          const target = method === 'CONNECT' ? `${name}.example:80` : `/x/${name}/y.php`
          return plain(
            await speak(
              rookery,
              `${method} ${target} HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`,
            ),
          )
        }
        const [live, gone, nothing] = [await ask(id), await ask(orphan), await ask(noise)]
        expect([method, more, live]).toEqual([method, more, nothing])
        expect([method, more, gone]).toEqual([method, more, nothing])
      }
    }
  })

  it('believes X-Forwarded-For from trusted proxies alone, and from the right', async () => {
    for (const [trusted, forwarded, source] of [
      ['', '203.0.113.9', '127.0.0.1'],
      ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
      ['127.0.0.1, 198.51.100.0/24', '6.6.6.6, 203.0.113.9, 198.51.100.7', '203.0.113.9'],
      ['127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
      ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
      ['127.0.0.1', 'nonsense, <b>', '127.0.0.1'],
    ] as const) {
      const rookery = await openTestConsole({ env: { ROOKERY_TRUSTED_PROXIES: trusted } })
      const id = await plant(rookery)
      await speak(
        rookery,
        `GET /${id} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${forwarded}\r\nConnection: close\r\n\r\n`,
      )
      expect((await events(rookery)).map(({ src_host }) => src_host)).toEqual([source])
    }
  })

  it('fires once for each request of a pipeline of strangers', async () => {
    const rookery = await openTestConsole()
    const id = await plant(rookery)
    const requests = Array.from(
      { length: 20 },
      (_, n) => `GET /${id} HTTP/1.1\r\nHost: x\r\nUser-Agent: p${n}\r\n\r\n`,
    )
    const answer = await speak(
      rookery,
      requests.join('') + 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(answer.match(/HTTP\/1\.1 200 OK\r/g)).toHaveLength(21)
    expect(await events(rookery)).toHaveLength(20)
  })
})

describe('the token channel', () => {
  it('disconnects a client that sends garbage or too much, though it never closes', async () => {
    const rookery = await openTestConsole({ parts: ['tokens'] })
    const { port } = new URL(rookery.console.tokensUrl ?? '')
    for (const bytes of [
      '\x01\x02\xff\r\n\r\n',
      'x\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const reason = await new Promise<unknown>((resolve) => {
        // Half open: this side never ends by itself.
        const socket: Socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }, () =>
          socket.write(Buffer.from(bytes, 'latin1')),
        )
        onTestFinished(() => void socket.destroy())
        const goOn = (): void => void (socket.write('more') && setImmediate(goOn))
        socket.once('data', (answer: Buffer) => expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /))
        socket.once('end', goOn)
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      })
      expect(['ECONNRESET', 'EPIPE']).toContain(reason)
    }
  })

  it('takes 16 MiB a second of the bodies that nobody keeps, whomever they are for', async () => {
    const clock = manualClock(Date.now())
    const rookery = await openTestConsole({ world: { clock } })
    const { port } = new URL(rookery.console.tokensUrl ?? '')
    const body = Buffer.alloc(16 * 1024 * 1024)
    const paths = ['/', '/robots.txt', `/${await plant(rookery)}`]
    let answered = 0
    for (const path of paths) {
      const socket = connect(Number(port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      let text = ''
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString()
        // The second answer comes behind the whole body.
        if (text.split('HTTP/1.1 200').length === 3) answered++
      })
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
      socket.write(body)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    }
    const bound = () =>
      [...declaredLimits()].find(({ name }) => name === 'token_request_bytes_dropped_per_second')
    await expect.poll(() => bound()?.hits()).toBeGreaterThan(0)
    expect([bound()?.max, answered]).toEqual([body.length, 0])
    const pass = async (): Promise<void> => {
      clock.advance(20)
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (let ms = 0; ms < 2_500; ms += 20) await pass()
    expect(answered).toBeLessThan(paths.length)
    while (answered < paths.length) await pass()
  })

  it('spends little on a URL made of what looks like tokens', () => {
    let macs = 0
    const vault = openVault(
      systemRandom.bytes(32),
      systemWorld({ send: () => Promise.reject(new Error('no')) }).random,
    )
    const counting = {
      ...vault,
      blockCipher(...args: Parameters<typeof vault.blockCipher>) {
        const { encrypt, decrypt } = vault.blockCipher(...args)
        return { encrypt: (block: Buffer) => (macs++, encrypt(block)), decrypt }
      },
    }
    const runs = Array.from({ length: 180 }, (_, n) => 'a'.repeat(80) + String(n).padStart(9, 'b'))
    expect(findTokenId(runs.join('/'), counting)).toBeUndefined()
    // Two blocks for each look.
    expect(macs).toBeLessThanOrEqual(2 * 256)
    expect(macs).toBeGreaterThan(0)
    const id = newTokenId(systemRandom, vault)
    expect(findTokenId(`/${runs.slice(0, 2).join('/')}/${id}/x`, vault)).toBe(id)
  })
})
