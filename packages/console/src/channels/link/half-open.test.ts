// Connections that have not said HELLO: strangers with many of them keep no Bird out.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { declaredLimits } from '@rookery/kernel/limit.ts'
import { addBird } from '../../../test/birds.ts'
import { connectBird, enrolledBird, hello, helloBird, newKey } from '../../../test/link-bird.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const hits = (name: string): number => [...declaredLimits()].find((it) => it.name === name)?.hits() ?? NaN

/** Each client names its own address. */
const BEHIND_PROXY = { ROOKERY_TRUSTED_PROXIES: '127.0.0.1' }

/** Begins a link from each address, and says nothing on it; answers the status codes. */
async function beginLinks({ console }: TestConsole, addresses: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(console.linkUrl ?? '')
  const begin = async (address: string): Promise<string> => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(
      `GET /bird/v1/link HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    return head.toString('latin1', 9, 12)
  }
  // Not all at once: a head must be there in time, also on a busy machine.
  const statuses: string[] = []
  for (let from = 0; from < addresses.length; from += 50)
    statuses.push(...(await Promise.all(addresses.slice(from, from + 50).map(begin))))
  return statuses
}

/** More than there is place for, from 21 networks, each from another address of its network. */
const STRANGERS = Array.from({ length: 2_100 }, (_, n) => `2001:db8:0:${n % 21}::${n}`)

describe('strangers that hold every place before HELLO', () => {
  it('keep out neither a Bird that comes back nor one that nobody knows', async () => {
    // No time passes: a link without HELLO is closed after ten seconds.
    const world = { clock: manualClock() }
    const rookery = await openTestConsole({ env: BEHIND_PROXY, world })
    const [home, besides] = ['203.0.113.7', '2001:db8:0:3::1:1']
    const bird = await enrolledBird(rookery, {}, { from: home })
    const neighbour = await enrolledBird(rookery, {}, { from: besides })
    // Where Birds come from is read when the link opens.
    await rookery.restart()
    const { linkUrl } = rookery.console
    const waiting = await connectBird(linkUrl, { ...bird, from: home })
    const before = hits('link_half_open')
    expect(new Set(await beginLinks(rookery, STRANGERS))).toEqual(new Set(['101']))
    expect(hits('link_half_open')).toBeGreaterThan(before)

    const unknown = await helloBird(linkUrl, {}, { from: '198.51.100.1' })
    await unknown.receives('PENDING')
    // A hundred strangers have its network.
    const amongThem = await helloBird(linkUrl, { nodeId: neighbour.nodeId }, { ...neighbour, from: besides })
    await amongThem.receives('REGISTERED')
    waiting.send(hello({ nodeId: bird.nodeId }))
    await waiting.receives('REGISTERED')
    const again = await helloBird(linkUrl, { nodeId: bird.nodeId }, { ...bird, from: home })
    await again.receives('REGISTERED')
  })

  it('have 200 places of an address or IPv6 /64', async () => {
    const rookery = await openTestConsole({ env: BEHIND_PROXY, world: { clock: manualClock() } })
    const before = hits('link_half_open_per_source')
    const ofOne = Array.from({ length: 201 }, (_, n) => `2001:db8::${n}`)
    expect((await beginLinks(rookery, ofOne)).filter((status) => status === '101')).toHaveLength(200)
    expect(hits('link_half_open_per_source')).toBe(before + 1)
    expect(await beginLinks(rookery, ['2001:db8:0:1::1'])).toEqual(['101'])
  })
})

it('300 Birds come back from one address at once, by the options as they come', async () => {
  const NAT = '203.0.113.7'
  const env = { ...BEHIND_PROXY, ROOKERY_LINK_HANDSHAKES_PER_SECOND: '10' }
  const rookery = await openTestConsole({ env, world: { clock: manualClock() } })
  const birds = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const key = newKey()
      const row = { public_key: key.publicKey.toString('hex'), public_ip: NAT }
      return { key, nodeId: await addBird(rookery, row) }
    }),
  )
  await rookery.restart()
  const { linkUrl } = rookery.console
  // All have begun before the first says HELLO.
  const links = await Promise.all(birds.map(({ key }) => connectBird(linkUrl, { key, from: NAT })))
  links.forEach((link, n) => link.send(hello({ nodeId: birds[n]?.nodeId ?? '' })))
  await Promise.all(links.map((link) => link.receives('REGISTERED')))
})
