// A real Bird on a machine where ports of its decoys are in use: what stands, and how people learn of the rest.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BirdState, RunningBird } from '@rookery/bird/options.ts'
import { startBird } from '@rookery/bird/start.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { loopbackOutbound, FLOCK } from '../../../test/raise-incident.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { skippingClock } from '@rookery/bird/test/clocks.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { examineBase } from '../../maintenance/doctor.ts'
import { changeBird } from '../../stores/birds/store.ts'

/** The decoys of a new Bird. */
const PORTS = { ssh: 22, http: 80, ftp: 21, redis: 6379 } as const
type Decoy = keyof typeof PORTS
const ALL = Object.keys(PORTS).sort() as Decoy[]

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}

const closeAll = (servers: readonly Server[]): Promise<unknown> =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))

/** An offset under which the port of every decoy is free, and that of these decoys taken by the answered servers. */
async function portsTaken(...taken: readonly Decoy[]): Promise<{ offset: number; free(): Promise<unknown> }> {
  for (let offset = 20_000 + (process.pid % 1_000) * 10; ; offset += 7) {
    const servers = new Map<Decoy, Server>()
    for (const decoy of ALL) {
      const server = await listen(PORTS[decoy] + offset)
      if (server) servers.set(decoy, server)
    }
    const isFree = servers.size === ALL.length
    const ofTaken = taken.flatMap((decoy) => servers.get(decoy) ?? [])
    await closeAll(
      isFree ? [...servers.values()].filter((it) => !ofTaken.includes(it)) : [...servers.values()],
    )
    if (!isFree) continue
    onTestFinished(() => void closeAll(ofTaken))
    return { offset, free: () => closeAll(ofTaken) }
  }
}

async function birdOn(rookery: TestConsole, portOffset: number) {
  const dataDir = ownFolder()
  const clock = skippingClock()
  let changes: (() => void)[] = []
  const start = async (offset: number, enrol?: string): Promise<RunningBird> => {
    const bird = await startBird({
      consoleUrl: rookery.console.linkUrl ?? '',
      dataDir,
      bind: '127.0.0.1',
      portOffset: offset,
      clock,
      log: () => undefined,
      maxBackoffMs: 300,
      onChange: () => {
        for (const check of changes.splice(0)) check()
      },
      ...(enrol !== undefined && { enrol }),
    })
    onTestFinished(() => bird.stop())
    return bird
  }
  let bird = await start(portOffset, await rookery.console.enrolLocalBird())
  const state = (): BirdState => bird.state()
  const when = async (claim: (state: BirdState) => boolean): Promise<void> => {
    while (!claim(state())) await new Promise<void>((resolve) => (changes = [...changes, resolve]))
  }
  const standing = (): Decoy[] =>
    [...new Set(state().listening.map(({ instance }) => instance as Decoy))].sort()
  return {
    clock,
    nodeId: () => state().nodeId ?? '',
    standing,
    stands: (...decoys: Decoy[]) =>
      when(({ phase }) => phase === 'registered' && standing().join() === [...decoys].sort().join()),
    settled: () => when(({ settingsTag }) => settingsTag !== ''),
    async restart(offset: number) {
      await bird.stop()
      bird = await start(offset)
    },
    /** Its record and its list form, as the API shows them. */
    async shown() {
      const node_id = state().nodeId ?? ''
      const { device } = await rookery.api.birdQueries.info({ node_id })
      const { devices } = await rookery.api.birdQueries.all()
      return {
        live: device?.live,
        count: device?.service_count,
        failures: [device?.settings_failure, devices[0]?.settings_failure],
      }
    },
  }
}

const inUse = (offset: number, ...decoys: readonly Decoy[]): string =>
  decoys.map((decoy) => `${decoy}: port ${PORTS[decoy] + offset} is in use`).join('; ')

const metric = async ({ console: { apiUrl } }: TestConsole): Promise<number> => {
  const text = await (await fetch(`${apiUrl}/metrics`)).text()
  return Number(/^rookery_decoys_not_standing (\S+)$/m.exec(text)?.[1])
}

describe.each(engines)('a Bird with a port in use (%s)', (engine) => {
  it('opens the other decoys at once, says which one is missing, and opens that one when the port is free', async () => {
    const rookery = await openTestConsole({ engine })
    const { offset, free } = await portsTaken('ssh')
    const bird = await birdOn(rookery, offset)
    await bird.stands('ftp', 'http', 'redis')
    const text = inUse(offset, 'ssh')
    await expect.poll(bird.shown).toEqual({ live: 'True', count: '3', failures: [text, text] })
    expect(await metric(rookery)).toBe(1)
    const wrong = (await examineBase(rookery.console.base)).filter(({ ok }) => !ok)
    expect(wrong).toMatchObject([{ about: 'decoys', text: expect.stringContaining(text) as string }])

    await free()
    bird.clock.skip(11_000)
    await bird.stands(...ALL)
    bird.clock.skip(1_000)
    await expect.poll(bird.shown).toEqual({ live: 'True', count: '4', failures: ['', ''] })
    expect(await metric(rookery)).toBe(0)
    expect((await examineBase(rookery.console.base)).every(({ ok }) => ok)).toBe(true)
  })

  it('has all its decoys after a restart with another port offset, and the console knows at its HELLO', async () => {
    const rookery = await openTestConsole({ engine })
    const { offset } = await portsTaken('ftp')
    const bird = await birdOn(rookery, offset)
    await bird.stands('http', 'redis', 'ssh')
    await expect.poll(async () => (await bird.shown()).failures[0]).toBe(inUse(offset, 'ftp'))
    await bird.restart((await portsTaken()).offset)
    await bird.stands(...ALL)
    await expect.poll(bird.shown).toEqual({ live: 'True', count: '4', failures: ['', ''] })
  })

  it('and settings that it cannot use are one incident after a minute, also over a restart of the link', async () => {
    const rookery = await openTestConsole({ engine })
    const { offset } = await portsTaken()
    const bird = await birdOn(rookery, offset)
    await bird.stands(...ALL)
    const settings = JSON.stringify({ 'ssh.enabled': 'perhaps' })
    await rookery.console.base.writer.write((tx) =>
      changeBird(tx.query, bird.nodeId(), { settings, settings_tag: 'wrong', settings_seq: 99 }),
    )
    await bird.restart(offset)
    await bird.stands(...ALL)
    const reason = 'ssh.enabled must be true or false, not "perhaps"'
    await expect.poll(async () => (await bird.shown()).failures[0]).toBe(reason)
    const reported = async () =>
      (await rookery.api.incidentQueries.unacknowledged()).incidents.map(
        ({ description: { logtype, events } }) => [logtype, events.map(({ REASON }) => REASON)],
      )
    expect(await reported()).toEqual([])
    bird.clock.skip(60_000)
    const incident = ['22002', [{ settings: `wrong cannot be used: ${reason}` }]]
    await expect.poll(reported).toEqual([incident])
    bird.clock.skip(120_000)
    await expect.poll(async () => (await bird.shown()).failures[0]).toBe(reason)
    expect(await reported()).toEqual([incident])
  })

  it('and no decoy at all is one incident and its alert after a minute', async () => {
    const receiver = await openReceiver()
    const rookery = await openTestConsole({
      engine,
      world: { outbound: loopbackOutbound() },
    })
    await rookery.post('/flock/settings/webhooks/generic/add', { flock_id: FLOCK, url: receiver.url })
    await rookery.post('/flock/settings/webhooks/enable', { flock_id: FLOCK })
    const { offset } = await portsTaken(...ALL)
    const bird = await birdOn(rookery, offset)
    await bird.settled()
    await expect.poll(async () => (await bird.shown()).count).toBe('0')
    expect(bird.standing()).toEqual([])
    bird.clock.skip(60_000)
    await receiver.tries(1)
    bird.clock.skip(60_000)
    const { incidents } = await rookery.api.incidentQueries.unacknowledged()
    expect(incidents.map(({ description }) => description)).toMatchObject([
      {
        logtype: '22002',
        description: 'Decoys Not Standing',
        events: [
          { REASON: Object.fromEntries(ALL.map((it) => [it, `port ${PORTS[it] + offset} is in use`])) },
        ],
      },
    ])
    expect(receiver.alerts).toHaveLength(1)
  })
})
