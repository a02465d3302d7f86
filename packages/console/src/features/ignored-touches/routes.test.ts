import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

/** SSH logins at the Bird, from each source; resolves once they are stored or ignored. */
async function touch(rookery: TestConsole, nodeId: string, sources: readonly string[]): Promise<void> {
  await rookery.console.ingest.fromBird({
    nodeId,
    spoolId: `${Math.random()}`,
    receivedAt: Date.now(),
    events: sources.map((srcHost, n) => ({ seq: n + 1, touch: { ...sshLogin().touch, nodeId, srcHost } })),
  })
}

const listed = async (rookery: TestConsole, params: { src_ip?: string; node_id?: string } = {}) =>
  (await rookery.api.ignoredTouches.list(params)).ignored_touches

describe.each(engines)('ignored touches (%s)', (engine) => {
  it('are listed with the entry of the list that ignored them, the newest first', async () => {
    const resolver = {
      addresses: (name: string) => Promise.resolve(name === 'scan1.example.org' ? ['192.0.2.9'] : []),
      reverse: (address: string) => Promise.resolve(address === '192.0.2.9' ? ['scan1.example.org'] : []),
    }
    const rookery = await openTestConsole({ engine, world: { resolver } })
    const lists = rookery.api.consoleIgnoreLists
    await lists.replaceIps({ whitelist_ips: '10.0.0.0/8\n192.0.2.7:22 # the old scanner' })
    await lists.replaceHostNames({ hostnames: '*.example.org # theirs' })
    await lists.enableHostNames()
    const nodeId = await addBird(rookery, { name: 'nas-02' })
    await touch(rookery, nodeId, ['192.0.2.7', '192.0.2.8'])
    await touch(rookery, nodeId, ['192.0.2.9'])
    await expect.poll(async () => (await listed(rookery)).length).toBe(2)
    expect(await listed(rookery)).toMatchObject([
      { src_host: '192.0.2.9', list: 'hostname', entry: '*.example.org # theirs' },
      {
        src_host: '192.0.2.7',
        list: 'ip',
        entry: '192.0.2.7:22 # the old scanner',
        node_id: nodeId,
        name: 'nas-02',
        logtype: '4002',
        dst_port: 22,
        flock_id: 'flock:default',
        received_std: expect.stringMatching(/ UTC\+0000$/) as string,
      },
    ])
    expect(await listed(rookery, { src_ip: '192.0.2.9' })).toHaveLength(1)
    expect(await listed(rookery, { node_id: 'ffffffffffffffff' })).toEqual([])
    expect((await rookery.get('/ignored_touches/list', { src_ip: 'nobody' })).status).toBe(400)
  })

  it('of a flood: the newest two hundred of a second are kept, a thousand in all', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: '10.0.0.0/8' })
    const nodeId = await addBird(rookery)
    // Of the last second more than are kept, and of the whole flood, too.
    for (let second = 1; second <= 6; second++) {
      clock.advance(1_000)
      const count = second === 6 ? 500 : 200
      await touch(
        rookery,
        nodeId,
        Array.from({ length: count }, (_, n) => `10.${second}.${n >> 8}.${n & 255}`),
      )
      await expect.poll(async () => (await listed(rookery))[0]?.src_host).toMatch(`10.${second}.`)
    }
    const kept = await listed(rookery)
    const seconds = kept.map(({ src_host }) => Number(src_host.split('.')[1]))
    expect(seconds).toEqual([6, 5, 4, 3, 2].flatMap((second) => Array<number>(200).fill(second)))
    expect(kept[0]).toMatchObject({ src_host: '10.6.1.243', entry: '10.0.0.0/8' })
  })
})
