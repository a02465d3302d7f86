import { describe, expect, it } from 'vitest'
import type { Touch } from '@rookery/kernel/touch.ts'
import { addBird } from '../../../../test/birds.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { openHousekeeping } from '../../housekeeping.ts'
import { TOGETHER_MS } from './consolidated-scans.ts'

const SCANNER = '192.0.2.66'

/** Two Birds, and what they report of scans. */
async function twoBirds(rookery: TestConsole, flock_id = 'flock:default') {
  const one = await addBird(rookery, { ip_address: '10.0.0.1', flock_id })
  const two = await addBird(rookery, { ip_address: '10.0.0.2', flock_id })
  let seq = 0
  const report = async (
    nodeId: string,
    ports: string,
    change: Partial<Touch> = {},
    receivedAt = Date.now(),
  ) => {
    const touch: Touch = {
      nodeId,
      logtype: '5003',
      instance: 'portscan',
      at: receivedAt,
      srcHost: SCANNER,
      srcPort: 40_000,
      dstHost: nodeId === one ? '10.0.0.1' : '10.0.0.2',
      dstPort: -1,
      fields: { ports, PROTO: 'TCP' },
      ...change,
    }
    await rookery.console.ingest.fromBird({
      nodeId,
      spoolId: 's',
      receivedAt,
      events: [{ seq: ++seq, touch }],
    })
  }
  const consolidated = async () =>
    (await rookery.api.incidentQueries.all({ shrink: false })).incidents
      .map(({ description }) => description)
      .filter(({ logtype }) => logtype === '5007')
  return { one, two, report, consolidated }
}

describe.each(engines)('a scan over several Birds (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('is one incident of the console, which names each common port and the Birds that saw it', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    await report(one, '21,22,80,443,8080')
    expect(await consolidated()).toEqual([])
    await report(two, '22,80,3306,5432,6379')
    const [incident, ...more] = await consolidated()
    expect(more).toEqual([])
    expect(incident).toMatchObject({
      description: 'Consolidated Network Port Scan',
      src_host: SCANNER,
      node_id: 'console',
      events_count: '1',
    })
    const both = ['10.0.0.2', '10.0.0.1']
    expect(incident?.events[0]).toMatchObject({ '22': both, '80': both })
    expect(Object.keys(incident?.events[0] ?? {}).filter((key) => /^\d+$/.test(key))).toEqual(['22', '80'])
  })

  it('grows with a new common port, and with nothing else', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    await report(one, '1,2,3,4,5')
    await report(two, '5', { logtype: '5001', dstPort: 5 })
    expect((await consolidated())[0]).toMatchObject({ dst_port: '5', events_count: '1' })
    await report(two, '5,6', { logtype: '5001' })
    await report(one, '1,2,3,4,5')
    expect((await consolidated())[0]?.events_count).toBe('1')
    await report(one, '1,2,3,4,5,6')
    expect((await consolidated())[0]?.events_count).toBe('2')
  })

  it('is none of other ports, of another source, of another technique, or more than an hour apart', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    const now = Date.now()
    await report(one, '1,2,3,4,5')
    await report(two, '6,7,8,9,10')
    await report(two, '1,2,3,4,5', { srcHost: '192.0.2.67' })
    await report(two, '1,2,3,4,5', { logtype: '5008' })
    await report(two, '1,2,3,4,5', {}, now + TOGETHER_MS + 60_000)
    expect(await consolidated()).toEqual([])
  })

  it('is one of silent connections and of OS scans, too', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    const silent = (port: number): Partial<Touch> => ({
      logtype: '22003',
      instance: 'vnc',
      dstPort: port,
      fields: { SERVICE: 'vnc', COUNT: 1, REFUSED: 0 },
    })
    await report(one, '', silent(5900))
    await report(one, '', silent(445))
    expect(await consolidated()).toEqual([])
    await report(two, '', silent(5900))
    expect((await consolidated())[0]).toMatchObject({ dst_port: '5900', events_count: '1' })
    await report(two, '445', { logtype: '5004', dstPort: 445 })
    const [incident] = await consolidated()
    expect(incident?.events_count).toBe('2')
    expect(incident?.events.map((event) => Object.keys(event).filter((key) => /^\d+$/.test(key)))).toEqual(
      expect.arrayContaining([['5900'], ['445']]),
    )
  })

  it('holds the hour for each port: a later report of another kind keeps no old port', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    const start = Date.now()
    const silent = (port: number): Partial<Touch> => ({ logtype: '22003', instance: 'vnc', dstPort: port })
    await report(one, '', silent(5900), start)
    await report(one, '', silent(22), start + TOGETHER_MS / 2)
    await report(one, '1,2,3,4,5', {}, start + TOGETHER_MS / 2)
    await report(two, '', silent(5900), start + TOGETHER_MS + 1_000)
    expect(await consolidated()).toEqual([])
    await report(two, '', silent(22), start + TOGETHER_MS + 2_000)
    expect((await consolidated())[0]).toMatchObject({ dst_port: '22', events_count: '1' })
  })

  it('belongs to the Flock of the Birds that saw the port, whatever others saw', async () => {
    const flock = String((await rookery.api.flocks.create({ name: 'Branch' })).flock_id)
    const { one, two, report, consolidated } = await twoBirds(rookery, flock)
    const elsewhere = await addBird(rookery, { ip_address: '10.0.0.3' })
    await report(elsewhere, '6')
    await report(one, '5')
    await report(two, '5')
    expect((await consolidated())[0]).toMatchObject({ flock_id: flock })
  })

  it('is one incident in each Flock that sees it, however often they take turns', async () => {
    const flock = String((await rookery.api.flocks.create({ name: 'Branch' })).flock_id)
    const branch = await twoBirds(rookery, flock)
    const { one, two, report, consolidated } = await twoBirds(rookery)
    for (const port of ['5', '6']) {
      await report(one, port)
      await report(two, port)
      const other = String(Number(port) + 10)
      await branch.report(branch.one, other)
      await branch.report(branch.two, other)
    }
    const found = (await consolidated()).map(({ flock_id, events_count }) => `${flock_id} ${events_count}`)
    expect(found).toEqual(['flock:default 2', `${flock} 2`])
  })

  it('leaves out a port that was cut, and takes no other text for ports', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    await report(one, '1,2,33')
    await report(two, '1,33…[+9 bytes]')
    await report(two, '__proto__')
    const [incident] = await consolidated()
    expect(incident?.dst_port).toBe('1')
  })

  it('fits into an event, however many ports are common, and is forgotten after an hour', async () => {
    const { one, two, report, consolidated } = await twoBirds(rookery)
    const ports = Array.from({ length: 800 }, (_, n) => n + 1).join()
    await report(one, ports)
    await report(two, ports)
    const [event] = (await consolidated())[0]?.events ?? []
    expect(event).toMatchObject({ '1': ['10.0.0.2', '10.0.0.1'], truncated: true })
    expect(JSON.stringify(event).length).toBeLessThan(16_384)

    const { reader, writer } = rookery.console.base
    await writer.write((tx) =>
      tx.query.updateTable('bird_scan').set({ seen_at: 1 }).where('node_id', '=', one).execute(),
    )
    const housekeeping = openHousekeeping(rookery.console.base)
    await housekeeping.sweep()
    await housekeeping.stop()
    expect(await reader.selectFrom('bird_scan').select('node_id').execute()).toEqual([{ node_id: two }])
  })
})
