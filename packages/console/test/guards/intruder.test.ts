// What an intruder writes (at a Bird's service, as a Bird that asks to be let in, to a token) goes through every place where
// operators and their programs read it.
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Outbound } from '@rookery/kernel/world.ts'
import { FORGED, hostileTexts, textsIn } from '../hostile-fields.ts'
import { engines, openTestConsole, type TestConsole } from '../test-console.ts'
import { batch, connectBird, hello, sshEvent } from '../link-bird.ts'

const flock_id = 'flock:default'
const corpus = hostileTexts('mk1').filter(({ what }) => what !== '1 MB' && what !== 'invalid UTF-8')

/** A Bird that calls itself so, let in, whose visitors log in with every text of the corpus. */
async function birdOf(rookery: TestConsole, name: string): Promise<string> {
  const bird = await connectBird(rookery.console.linkUrl)
  bird.send(
    hello({
      device: {
        name,
        ip: '10.0.0.5',
        mac: '02:00:00:00:00:05',
        netmask: '255.255.255.0',
        os: name,
        sensor: name.slice(0, 64),
      },
      spool: { spoolId: '0'.repeat(31) + '1', first: 1, next: 1 },
    }),
  )
  await bird.receives('PENDING')
  const { json } = await rookery.get('/devices/commission/pending')
  const [pending] = json['devices'] as unknown as { device_id: string }[]
  const node_id = pending?.device_id ?? ''
  await rookery.post('/device/commission', { node_id, flock_id })
  await bird.receives('COMMISSIONED')
  const events = corpus.map(({ text }, at) =>
    sshEvent(at + 1, {
      srcHost: `192.0.2.${at + 1}`,
      fields: { USERNAME: text, PASSWORD: text },
    }),
  )
  bird.send(batch(events))
  await bird.receives('ACK')
  return node_id
}

/** A visit with the text in every place of a request where it may stand. */
async function visit(url: string, text: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const inHeader = Buffer.from(text.replace(/[\r\n\0]/g, ' '))
  const request = Buffer.concat([
    Buffer.from(
      `GET ${pathname}?q=${encodeURIComponent(text)} HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: `,
    ),
    inHeader,
    Buffer.from('\r\nReferer: '),
    inHeader,
    Buffer.from('\r\nX-Else: '),
    inHeader,
    Buffer.from('\r\nConnection: close\r\n\r\n'),
  ])
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.on('data', () => undefined)
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}

/** Those that would move a list, or forge a line of one. */
const names = corpus
  .filter(({ what }) => ['terminal escape', 'CR/LF', 'line separators', 'bidi'].includes(what))
  .map(({ what, text }) => [what, text] as const)

describe.each(engines)('texts of an intruder (%s)', (engine) => {
  // The other database keeps the same texts; it need not see every name.
  const shown = engine === 'sqlite' ? names : names.slice(1, 2)
  it.each(shown)('%s, as the name of a Bird', async (_what, name) => {
    const bodies: string[] = []
    const outbound: Outbound = {
      send({ body = '' }) {
        bodies.push(body)
        return Promise.resolve({ status: 204, headers: {}, body: '' })
      },
    }
    let logged = ''
    const log = pino(
      { level: 'trace' },
      new Writable({ write: (chunk: Buffer, _encoding, done) => ((logged += chunk.toString()), done()) }),
    )
    const rookery = await openTestConsole({ engine, world: { outbound }, log })
    const webhooks = '/flock/settings/webhooks'
    for (const kind of ['generic', 'teamchat'])
      await rookery.post(`${webhooks}/${kind}/add`, { flock_id, url: `https://${kind}.example.com/in` })
    await rookery.post(`${webhooks}/siem/add`, {
      flock_id,
      host: 'collector.example.com',
      port: 8088,
      token: 't',
    })
    const node_id = await birdOf(rookery, name)
    const { json } = await rookery.post('/decoytoken/create', {
      kind: 'http',
      memo: name.replaceAll('\0', ' '),
    })
    for (const { text } of corpus) await visit((json['decoytoken'] as unknown as { url: string }).url, text)
    await rookery.console.dispatcher.idle()

    // Programs that read JSON: what was typed is whole; what a Bird calls itself has lost what nobody can see.
    const list = (await rookery.get('/incidents/all', { node_id, shrink: false })).json as unknown as {
      incidents: { description: { events: { USERNAME?: string; PASSWORD?: string }[] } }[]
    }
    const typed = list.incidents
      .flatMap(({ description }) => description.events)
      .filter(({ USERNAME }) => USERNAME)
    const wanted = corpus.map(({ text }) => text).sort()
    expect(typed.map(({ USERNAME }) => USERNAME).sort()).toEqual(wanted)
    expect(typed.map(({ PASSWORD }) => PASSWORD).sort()).toEqual(wanted)
    for (const path of ['/devices/all', '/devices/filter', '/incidents/search']) {
      const answer = await rookery.get(path)
      expect(answer.status, path).toBe(200)
      expect(
        [...textsIn(answer.json)].some((text) => text.includes('mk1.')),
        path,
      ).toBe(true)
    }
    const { device } = (await rookery.get('/device/info', { node_id })).json as unknown as {
      device: { name: string }
    }
    expect(device.name).toMatch(/^mk1\.[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/)

    // Programs that read lines: one line a Bird, and each begins with an address of ours.
    const { text } = await rookery.get('/device/ips', { download: true, include_annotations: true })
    for (const line of text.split('\n').filter(Boolean))
      expect(line).toMatch(/^(10\.0\.0\.5\b|#|[^\u0000-\u001f]*10\.0\.0\.5)/)
    expect(text.split('\n').filter((line) => line.includes('10.0.0.5'))).toHaveLength(1)

    // Receivers: JSON, with the texts inside texts.
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies)
      for (const piece of splitJson(body)) expect(() => JSON.parse(piece) as unknown).not.toThrow()

    for (const line of logged.trim().split('\n')) {
      expect((JSON.parse(line) as { msg?: string }).msg).not.toBe(FORGED)
      expect(line).not.toMatch(/[\u0000-\u001f\u007f]/)
    }
    expect(await (await fetch(`${rookery.console.apiUrl}/metrics`)).text()).not.toMatch(/mk1\.|forged/)
  })
})

/** A collector takes several objects behind each other. */
const splitJson = (body: string): string[] => body.replaceAll('}{', '}\n{').split('\n').filter(Boolean)
