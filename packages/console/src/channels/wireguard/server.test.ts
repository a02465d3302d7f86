// The token WireGuard server, to clients of our own making; `npm run proof -- tokens` plays it to wireguard-go.
import { createSocket } from 'node:dgram'
import { describe, expect, it, onTestFinished } from 'vitest'
import { declaredLimits } from '@rookery/kernel/limit.ts'
import { sealInitiation } from '@rookery/tokens/channels/wireguard/seal-initiation.ts'
import { systemRandom } from '../../world/system.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import {
  ADMIN,
  engines,
  openTestConsole,
  ownTestConsole,
  type TestConsole,
} from '../../../test/test-console.ts'
import { OPTIONS } from '../../config/options.ts'
import { hostPort } from '../../addresses/host-port.ts'

interface Planted {
  readonly tokenId: string
  readonly text: string
  readonly own: Buffer
  readonly responder: Buffer
  readonly endpoint: string
}

const valueOf = (text: string, name: string): string =>
  new RegExp(`^${name} = (.*)$`, 'm').exec(text)?.[1] ?? ''

/** A token, and its configuration as a user downloads it. */
async function plant({ api, console }: TestConsole): Promise<Planted> {
  const { decoytoken } = await api.tokens.create({ kind: 'vpn', memo: 'x', flock_id: 'flock:default' })
  const answer = await fetch(
    `${console.apiUrl}/api/v1/decoytoken/download?decoytoken=${decoytoken.decoytoken}&auth_token=${ADMIN}`,
  )
  const text = await answer.text()
  return {
    tokenId: decoytoken.decoytoken,
    text,
    own: Buffer.from(valueOf(text, 'PrivateKey'), 'base64'),
    responder: Buffer.from(valueOf(text, 'PublicKey'), 'base64'),
    endpoint: valueOf(text, 'Endpoint'),
  }
}

const initiation = (
  { own, responder }: Pick<Planted, 'own' | 'responder'>,
  { console }: TestConsole,
  { aheadMs = 0, sessionIndex = 7 } = {},
): Buffer =>
  sealInitiation({
    own,
    responder,
    sessionIndex,
    ephemeral: systemRandom.bytes(32),
    sentAt: console.base.world.clock.now() + aheadMs,
  })

/** Sends the datagrams one after the other; answers what came back. */
async function send(rookery: TestConsole, datagrams: readonly Buffer[], localAddress = '127.0.0.1') {
  const { host, port } = hostPort(rookery.console.wireguardAddress ?? '')
  const socket = createSocket('udp4')
  const answers: Buffer[] = []
  socket.on('message', (message) => answers.push(message))
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  await new Promise<void>((resolve) => socket.bind(0, localAddress, resolve))
  for (const datagram of datagrams) await new Promise((resolve) => socket.send(datagram, port, host, resolve))
  return answers
}

/** Source, whether it is quiet, and the offset of the clock, of each touch. */
const history = async ({ api }: TestConsole, { tokenId: decoytoken }: Planted) =>
  (await api.tokens.history({ decoytoken })).history.map(({ quiet, event }) => [
    event['src_host'],
    quiet,
    event['skew_s'],
  ])

/** How often the message that came again last did so, and from where. */
const replays = async (rookery: TestConsole) =>
  (await incidents(rookery)).map(({ events }) => [events?.[0]?.['replays'], events?.[0]?.['replayed_from']])

const incidents = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.map(({ description }) => description)

describe.each(engines)('a VPN configuration (%s)', (engine) => {
  it('fires when its tunnel is brought up, and shows the client', async () => {
    const rookery = await openTestConsole({ engine })
    const planted = await plant(rookery)
    expect(planted.endpoint).toBe(rookery.console.wireguardAddress)
    const answers = await send(rookery, [initiation(planted, rookery)])
    await expect.poll(() => incidents(rookery)).toHaveLength(1)
    const [incident] = await incidents(rookery)
    expect(incident).toMatchObject({ logtype: '17022', src_host: '127.0.0.1' })
    expect(incident?.events).toEqual([
      expect.objectContaining({
        decoytoken: planted.tokenId,
        type: 'vpn',
        event_name: '',
        dst_port: hostPort(planted.endpoint).port,
        src_host: '127.0.0.1',
        client_public_key: expect.stringMatching(/^[\w+/]{43}=$/) as string,
        session_index: 7,
        skew_s: 0,
        headers: {},
      }),
    ])
    expect(answers).toEqual([])
  })

  it('raises nothing when a message is sent again, also after a restart: its event counts it', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const planted = await plant(rookery)
    const first = initiation(planted, rookery)
    await send(rookery, [first])
    await expect.poll(() => incidents(rookery)).toHaveLength(1)
    clock.advance(5_000)
    // The client repeats itself in another message, which an onlooker has, too.
    const second = initiation(planted, rookery, { sessionIndex: 8 })
    await send(rookery, [second])
    await send(rookery, [first], '127.0.0.2')
    await expect.poll(() => replays(rookery)).toEqual([[1, '127.0.0.2']])
    await rookery.restart()
    clock.advance(60_000)
    await send(rookery, [second, second], '127.0.0.3')
    await expect.poll(() => replays(rookery)).toEqual([[2, '127.0.0.3']])
    clock.advance(600_000)
    await send(rookery, [second], '127.0.0.4')
    await expect.poll(() => replays(rookery)).toEqual([[3, '127.0.0.4']])
    expect((await incidents(rookery)).map(({ events_count }) => events_count)).toEqual(['1'])
    const { token } = await rookery.api.tokens.fetch({ decoytoken: planted.tokenId })
    expect(token.triggered_count).toBe(1)
    expect(await history(rookery, planted)).toEqual([['127.0.0.1', false, 0]])
  })

  it('fires on a second machine, whose clock is behind the first, and after a replay from there', async () => {
    const rookery = await openTestConsole({ engine })
    const planted = await plant(rookery)
    const first = initiation(planted, rookery, { aheadMs: 60_000 })
    await send(rookery, [first])
    await send(rookery, [first, initiation(planted, rookery)], '127.0.0.2')
    await expect.poll(() => incidents(rookery)).toHaveLength(2)
    expect((await incidents(rookery)).map(({ src_host }) => src_host).sort()).toEqual([
      '127.0.0.1',
      '127.0.0.2',
    ])
  })

  it('that is deleted raises nothing, and another one still fires', async () => {
    const rookery = await openTestConsole({ engine })
    const [deleted, kept] = [await plant(rookery), await plant(rookery)]
    expect(kept.own).not.toEqual(deleted.own)
    await rookery.api.tokens.remove({ decoytoken: deleted.tokenId })
    await send(rookery, [initiation(deleted, rookery), initiation(kept, rookery)])
    await expect.poll(() => incidents(rookery)).toHaveLength(1)
    expect((await incidents(rookery))[0]?.events).toEqual([
      expect.objectContaining({ decoytoken: kept.tokenId }),
    ])
  })
})

describe('a message', () => {
  const rookery = ownTestConsole()

  it('is one event with those that follow it within five minutes; another source is another', async () => {
    const planted = await plant(rookery)
    const repeated = Array.from({ length: 4 }, (_, sessionIndex) =>
      initiation(planted, rookery, { sessionIndex }),
    )
    await send(rookery, repeated)
    await send(rookery, [initiation(planted, rookery)], '127.0.0.2')
    await expect.poll(() => incidents(rookery)).toHaveLength(2)
    const found = (await incidents(rookery)).map((it) => [it.src_host, it.events_count])
    expect(found.sort()).toEqual([
      ['127.0.0.1', '1'],
      ['127.0.0.2', '1'],
    ])
  })

  it('whose clock is off by more than three minutes raises nothing, neither does it later', async () => {
    const planted = await plant(rookery)
    const early = initiation(planted, rookery, { aheadMs: 600_000 })
    await send(rookery, [early, early])
    await send(rookery, [initiation(planted, rookery, { aheadMs: -600_000 })], '127.0.0.3')
    await expect
      .poll(async () => (await history(rookery, planted)).sort())
      .toEqual([
        ['127.0.0.1', true, 600],
        ['127.0.0.3', true, -600],
      ])
    expect(await incidents(rookery)).toEqual([])
  })

  it('under a key that is no token of ours, or sealed for another server, is dropped', async () => {
    const planted = await plant(rookery)
    const stranger = { ...planted, own: Buffer.alloc(32, 1) }
    const elsewhere = { ...planted, responder: Buffer.alloc(32, 9) }
    await send(rookery, [
      initiation(stranger, rookery),
      initiation(elsewhere, rookery),
      Buffer.alloc(0),
      Buffer.alloc(148),
      Buffer.alloc(1_400, 1),
      // They are read in their order.
      initiation(planted, rookery),
    ])
    await expect.poll(() => incidents(rookery)).toHaveLength(1)
  })

  it('is not opened beyond 20 of a source in a second', async () => {
    const planted = await plant(rookery)
    const before = refusals()
    await send(
      rookery,
      Array.from({ length: 100 }, () => initiation(planted, rookery)),
    )
    await expect.poll(() => refusals() - before).toBeGreaterThan(0)
    await expect.poll(() => incidents(rookery)).toHaveLength(1)
  })
})

const refusals = (): number =>
  [...declaredLimits()].find(({ name }) => name === 'wireguard_initiations_per_source')?.hits() ?? NaN

describe('the server', () => {
  it('is named as the options say, and can be off: then its tokens warn', async () => {
    const rookery = await openTestConsole({
      env: {
        ROOKERY_TOKENS_WIREGUARD_LISTEN: 'off',
        ROOKERY_TOKENS_WIREGUARD_AT: 'vpn.example.com:51820',
      },
    })
    expect(rookery.console.wireguardAddress).toBeUndefined()
    const { warnings } = await rookery.api.tokens.create({ kind: 'vpn', memo: 'x' })
    expect(warnings).toEqual([
      'The wireguard channel is closed, since it is off or its address is taken: set ROOKERY_TOKENS_WIREGUARD_LISTEN to a free address.',
    ])
    expect((await plant(rookery)).endpoint).toBe('vpn.example.com:51820')
  })

  it('stays closed where its default address is taken; an address that was asked for stops the start', async () => {
    const at = OPTIONS.ROOKERY_TOKENS_WIREGUARD_LISTEN.default
    const { host, port } = hostPort(at)
    const taken = createSocket('udp4')
    onTestFinished(() => void taken.close())
    // Another console of this machine may have it.
    await new Promise<void>((resolve) => taken.once('error', () => resolve()).bind(port, host, resolve))
    const rookery = await openTestConsole({ env: { ROOKERY_TOKENS_WIREGUARD_LISTEN: at } })
    expect(rookery.console.wireguardAddress).toBeUndefined()
    const other = await openTestConsole()
    const ROOKERY_TOKENS_WIREGUARD_LISTEN = other.console.wireguardAddress ?? ''
    await expect(openTestConsole({ env: { ROOKERY_TOKENS_WIREGUARD_LISTEN } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('has a key of its own on each console, the same after a restart', async () => {
    const rookery = await openTestConsole()
    const planted = await plant(rookery)
    expect((await plant(await openTestConsole())).responder).not.toEqual(planted.responder)
    await rookery.restart()
    expect((await plant(rookery)).responder).toEqual(planted.responder)
  })
})
