// Recorded flights of Debian's Apache and nginx (OpenSSL 3.0.19): ours says the same to the same hello.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connectTo } from '../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../test/test-host.ts'
import { descriptors } from '../../src/descriptors.gen.ts'
import { defaultSettings } from '../../test/default-settings.ts'
import service from '../../src/services/https/service.ts'
import { describeFlight } from './describe-flight.ts'

interface Flight {
  readonly hello: string
  readonly flight: string
}

const flightsOf = (server: string): readonly Flight[] =>
  readFileSync(new URL(`openssl/${server}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Flight)

const GIVE_UP_MS = 5_000

/** Four at a time, below the budget of handshakes. */
test.each([
  ['Apache', 'nas', 'apache', 300],
  ['nginx', 'portal', 'nginx', 150],
])('ours answers recorded hellos as %s does', async (_, skin, server, atLeast) => {
  const flights = flightsOf(server)
  const { host } = openTestHost()
  const settings = { 'https.enabled': true, 'http.skin': skin }
  await host.apply(service.listeners(defaultSettings(descriptors, settings)))
  const port = portOf(host, 'https')
  const wrong: Flight[] = []
  const waiting = [...flights]
  // The key is searched before the first answer.
  await answerTo(
    port,
    waiting.find(({ flight }) => flight.endsWith('open'))!,
  )
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const flight = await answerTo(port, next)
        if (flight !== next.flight) wrong.push({ hello: next.hello, flight })
      }
    }),
  )
  await host.close()
  expect(wrong).toEqual([])
  expect(flights.length).toBeGreaterThanOrEqual(atLeast)
})

/** Waits for the recorded end: the close, or the last message of a handshake that goes on. */
async function answerTo(port: number, { hello, flight }: Flight): Promise<string> {
  const client = connectTo(port)
  client.write(Buffer.from(hello, 'base64'))
  const isOpen = flight.endsWith('open')
  const said = isOpen ? await untilSame(client, flight.slice(0, -'open'.length)) : (await client.closed).text
  client.socket.destroy()
  return `${describeFlight(said)}${isOpen ? 'open' : 'FIN'}`
}

/** What was received once it is the recorded flight; whatever there is when that does not come. */
function untilSame({ socket }: ReturnType<typeof connectTo>, flight: string): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => resolve(text), GIVE_UP_MS)
    const check = (): void => {
      if (describeFlight(text) !== flight) return
      clearTimeout(giveUp)
      resolve(text)
    }
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      check()
    })
    check()
  })
}
