// The whole way: a real Bird with its real decoys, over a real link, into incidents that the API shows.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { BirdState, RunningBird } from '@rookery/bird/options.ts'
import { unusedPort } from '../../../test/listen.ts'
import { realBird, when } from '../../../test/real-bird.ts'
import { openTestConsole, type TestConsole } from '../../../test/test-console.ts'

/** An intruder tries a Redis command; answers what the decoy said. */
async function redis(bird: RunningBird, command: string): Promise<string> {
  const port = bird.state().listening.find(({ instance }) => instance === 'redis')?.boundPort ?? 0
  const socket = connect(port, '127.0.0.1')
  socket.write(`${command}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString()
}

const commands = async (rookery: TestConsole): Promise<string[]> => {
  const answer = await rookery.api.incidentQueries.unacknowledged({ shrink: false })
  const shown = answer.incidents
  return shown
    .filter(({ description }) => description.logtype === '21001')
    .flatMap(({ description }) => description.events.map(({ ARGS }) => String(ARGS)))
}

it('a Bird with a code opens its decoys, and what is tried on them is an incident, once, also over restarts', async () => {
  // The Bird must find the restarted console where it was.
  const rookery = await openTestConsole({ env: { ROOKERY_LISTEN: `127.0.0.1:${await unusedPort()}` } })
  const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
  await when(bird, ({ listening }) => listening.some(({ instance }) => instance === 'redis'))
  expect(await redis(bird, 'AUTH hunter2')).toContain('-')
  await expect.poll(() => commands(rookery)).toEqual(['hunter2'])

  const { nodeId = '' } = bird.state()
  const device = (await rookery.api.birdQueries.info({ node_id: nodeId })).device
  expect(device).toMatchObject({ live: 'True', flock_id: 'flock:default', device_version: '3.0.0' })

  const restarted = rookery.restart()
  await redis(bird, 'AUTH while-away')
  await restarted
  await redis(bird, 'AUTH after')
  await expect.poll(() => commands(rookery)).toEqual(['hunter2', 'while-away', 'after'])
  await when(bird, ({ spooled }) => spooled === 0)

  expect(await rookery.api.registration.decommission({ node_id: nodeId })).toMatchObject({
    delayed: true,
  })
  expect(await bird.ended).toBe('decommissioned')
  await expect.poll(async () => (await rookery.api.birdQueries.all()).devices).toEqual([])
})

it('a Bird without a code shows the words that the pending list shows, and works once it is commissioned', async () => {
  const rookery = await openTestConsole()
  const bird = await realBird(rookery.console.linkUrl)
  await when(bird, ({ pairingPhrase }) => pairingPhrase !== undefined)
  const devices = (await rookery.api.registration.pending()).devices
  const { pairingPhrase, deviceIdHash } = bird.state()
  expect(devices).toMatchObject([{ pairing_phrase: pairingPhrase, device_id_hash: deviceIdHash }])
  await rookery.api.registration.commission({ node_id: devices[0]?.id ?? '' })
  await when(bird, ({ settingsTag, listening }) => settingsTag !== '' && listening.length > 0)
  await expect
    .poll(async () => (await rookery.api.birdQueries.info({ node_id: devices[0]?.id ?? '' })).device)
    .toMatchObject({
      current_settings: bird.state().settingsTag,
      service_count: String(bird.state().listening.length),
    })
})

it('a Bird that is sent a reboot closes its decoys and comes back by itself, as after a start', async () => {
  const rookery = await openTestConsole()
  const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
  const hasRedis = ({ phase, listening }: BirdState): boolean =>
    phase === 'registered' && listening.some(({ instance }) => instance === 'redis')
  await when(bird, hasRedis)
  const { nodeId = '' } = bird.state()
  const port = bird.state().listening.find(({ instance }) => instance === 'redis')?.boundPort ?? 0
  const visitor = connect(port, '127.0.0.1')
  await once(visitor, 'connect')
  const cutOff = once(visitor, 'close')
  expect((await rookery.post('/device/reboot', { node_id: nodeId })).status).toBe(200)
  await cutOff
  await when(bird, (state) => hasRedis(state) && state.listening.every(({ boundPort }) => boundPort !== port))
  expect(await redis(bird, 'AUTH after-reboot')).toContain('-')
  await expect.poll(() => commands(rookery)).toEqual(['after-reboot'])
  const device = (await rookery.api.birdQueries.info({ node_id: nodeId })).device
  expect(device).toMatchObject({ live: 'True', reconnect_count: '0' })
  expect(Number(device?.uptime)).toBeLessThan(30)
})
