import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { manualClock } from './manual-clock.ts'
import { addPerson, askAs, openAs, signIn } from './person.ts'
import { ADMIN, engines, openTestConsole } from './test-console.ts'

function dial(url: string, text: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).resume()
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return socket
}

const upload = (key: string): string =>
  `POST /api/v1/flock/note/add HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${key}\r\nContent-Length: 100\r\n\r\n.`

/** Asks from another address. */
const fromElsewhere = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { localAddress: '127.0.0.2', agent: false, headers: { 'X-Auth-Token': ADMIN } }
    request(url, options, (response) => resolve(readText(response)))
      .on('error', reject)
      .end()
  })

it.each(engines)(
  'who is refused because all connections of its address are at work is an incident, once a minute (%s)',
  async (engine) => {
    const clock = manualClock()
    const env = { ROOKERY_CONNECTIONS_PER_SOURCE: '2' }
    const rookery = await openTestConsole({ engine, env, world: { clock } })
    const url = rookery.console.apiUrl ?? ''
    async function refused() {
      // PostgreSQL has not answered within the seconds that went by at once: it is looked at again.
      clock.advance(1_000)
      const { incidents } = await rookery.api.incidentQueries.all()
      return incidents.map(({ description }) => description).filter(({ logtype }) => logtype === '23008')
    }
    const keys: string[] = []
    for (const note of ['one', 'other']) {
      const { global_api_key } = await rookery.api.apiKeys.add({ auth_token_type: 'admin', note })
      keys.push(global_api_key.auth_token)
    }
    const uploading = keys.map((key) => dial(url, upload(key)))
    // From then on they are no strangers.
    const unused = async () =>
      JSON.parse(await fromElsewhere(`${url}/api/v1/auth_token/list`)).global_api_keys.filter(
        ({ last_used: at }: { last_used: string }) => at === '',
      )
    await expect.poll(unused).toEqual([])
    const newcomers = [dial(url, ''), dial(url, '')]
    const ended = Promise.all(newcomers.map((socket) => new Promise((done) => socket.once('close', done))))
    for (const socket of newcomers) await new Promise((done) => socket.once('connect', done))
    // Connections are accepted in turn: by then the console has those before it.
    await fromElsewhere(`${url}/api/v1/auth_token/list`)
    clock.advance(3_000)
    await ended
    for (const socket of uploading) socket.destroy()
    await expect.poll(refused).toMatchObject([
      {
        description: 'Connections Refused',
        node_id: 'console',
        src_host: '127.0.0.1',
        events: [{ SERVICE: 'api', COUNT: 1 }],
      },
    ])
  },
)

it.each(engines)(
  'streams of people who are signed in keep nobody behind their address out (%s)',
  async (engine) => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_CONNECTIONS_PER_SOURCE: '2' } })
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const streams: ReadableStreamDefaultReader<Uint8Array>[] = []
    for (let analysts = 0; analysts < 12; analysts++) {
      const { status, body } = await openAs(rookery, halves, 'GET', '/live', {}, { Connection: 'close' })
      const reader = body!.getReader()
      expect([analysts, status, Buffer.from((await reader.read()).value ?? []).toString()]).toEqual([
        analysts,
        200,
        ': live\n\n',
      ])
      streams.push(reader)
    }
    expect((await rookery.get('/ping')).status).toBe(200)
    // None of them made room: each hears that the session has ended.
    await askAs(rookery, halves, 'POST', '/session/end')
    for (const reader of streams) {
      let heard = ''
      for (let next = await reader.read(); !next.done; next = await reader.read())
        heard += Buffer.from(next.value).toString()
      expect(heard).toMatch(/event: signed-out\ndata: \{\}\n\n$/)
    }
  },
)

it('one address holds no more connections than the option says, and the next visitor takes a place of theirs', async () => {
  const rookery = await openTestConsole({ env: { ROOKERY_CONNECTIONS_PER_SOURCE: '3' } })
  for (const url of [rookery.console.tokensUrl ?? '', rookery.console.apiUrl ?? '']) {
    const holding = Array.from({ length: 3 }, () => dial(url, ''))
    const first = Promise.race(holding.map((socket) => new Promise((done) => socket.once('close', done))))
    for (const socket of holding) await new Promise((done) => socket.once('connect', done))
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(200)
    await first
  }
})

it('an option that is no number is refused at the start', async () => {
  for (const wrong of ['0', '-1', 'many', '1e3', '100001']) {
    await expect(openTestConsole({ env: { ROOKERY_CONNECTIONS_PER_SOURCE: wrong } })).rejects.toThrow(
      `ROOKERY_CONNECTIONS_PER_SOURCE must be a whole number from 1 to 100000, not "${wrong}".`,
    )
  }
})
