import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incidentNames } from '../../secrets/incident-name.ts'
import { openVault } from '../../secrets/vault.ts'
import { systemRandom } from '../../world/system.ts'
import { subject } from '../../../test/touches.ts'
import type { Arrival } from './arrival.ts'
import { decide, slotOf } from './decide.ts'
import type { NewIncident, OpenIncident, Plan } from './plan.ts'
import { openIncidentRateLimit } from './incident-rate-limit.ts'

const names = incidentNames(openVault(systemRandom.bytes(32), systemRandom))

const DAY = 86_400_000
const logtype = { logtype: '4002', summary: 'SSH Login Attempt', slug: 'sshlogin' }

const arrival = (srcHost: string, receivedAt = 1_000, change: Partial<Arrival['touch']> = {}): Arrival => ({
  subject,
  logtype,
  receivedAt,
  late: false,
  touch: {
    nodeId: 'aa',
    logtype: '4002',
    instance: 'ssh',
    at: receivedAt,
    srcHost,
    srcPort: 1,
    dstHost: 'd',
    dstPort: 22,
    fields: {},
    ...change,
  },
})

/** Decides batch after batch, keeping what a database would keep. */
function incidentEngine() {
  const open = new Map<string, OpenIncident>()
  const keys = new Map<number, Pick<NewIncident, 'agg_key' | 'src_host' | 'flock_id'>>()
  const sources = new Map<number, { readonly known: Set<string>; count: number }>()
  const counts = new Map<number, number>()
  const rateLimit = openIncidentRateLimit()
  let next = 1
  return {
    counts,
    sources,
    run(arrivals: readonly Arrival[]): Plan {
      const plan = decide(arrivals, { open, sources, firstUpdatedId: next, names, rateLimit, quietMs: DAY })
      next += arrivals.length
      for (const { incident_id, ...key } of plan.created) keys.set(incident_id, key)
      for (const change of [...plan.created, ...plan.changed]) {
        counts.set(change.incident_id, change.events_count)
        const { agg_key = '', src_host = '', flock_id = '' } = keys.get(change.incident_id) ?? {}
        open.set(agg_key, { ...change, src_host, flock_id })
      }
      for (const { incident_id, nth, src_host } of plan.sources) {
        const of = sources.get(incident_id) ?? { known: new Set(), count: 0 }
        expect([nth, of.known.has(src_host)]).toEqual([of.count + 1, false])
        of.known.add(src_host)
        sources.set(incident_id, { ...of, count: nth })
      }
      return plan
    },
  }
}

describe('decide', () => {
  it('counts every touch exactly once, however the batches fall', () => {
    const source = fc.constantFrom(
      '192.0.2.1',
      '192.0.2.2',
      '2001:db8::1',
      '2001:db8::ffff',
      '2001:db8:0:1::1',
    )
    fc.assert(
      fc.property(fc.array(fc.array(source, { maxLength: 30 }), { maxLength: 12 }), (batches) => {
        const { run, counts } = incidentEngine()
        for (const batch of batches) run(batch.map((it) => arrival(it)))
        const networks = new Set(batches.flat().map((it) => (it.startsWith('2001:db8::') ? 'v6' : it)))
        expect([...counts.values()].reduce((a, b) => a + b, 0)).toBe(batches.flat().length)
        expect(counts.size).toBe(networks.size)
      }),
    )
  })

  it('gives each touch of a batch a rising updated_id, and the incident the last of its own', () => {
    const { run } = incidentEngine()
    const { created } = run([arrival('192.0.2.1'), arrival('192.0.2.2'), arrival('192.0.2.1')])
    expect(created.map((row) => [row.incident_id, row.updated_id])).toEqual([
      [1, 3],
      [2, 2],
    ])
  })

  it('keeps the first 100 events and the last 900', () => {
    expect([1, 100, 101, 1000, 1001, 1900, 1901].map(slotOf)).toEqual([1, 100, 101, 1000, 101, 1000, 101])
    const { run } = incidentEngine()
    const slots = new Map<number, number>()
    for (let n = 0; n < 50; n++) {
      for (const row of run(Array.from({ length: 50 }, () => arrival('192.0.2.1'))).events)
        slots.set(row.slot, row.nth)
    }
    const kept = [...slots.values()].sort((a, b) => a - b)
    expect(kept).toHaveLength(1000)
    expect([kept[0], kept[99], kept[100], kept[999]]).toEqual([1, 100, 1601, 2500])
  })

  it('begins a new incident after a day of silence', () => {
    const { run } = incidentEngine()
    run([arrival('192.0.2.1', 1_000)])
    expect(run([arrival('192.0.2.1', 1_000 + DAY)]).created).toHaveLength(0)
    expect(run([arrival('192.0.2.1', 1_001 + 2 * DAY)]).created).toHaveLength(1)
  })

  it('puts what exceeds 200 new incidents a minute into one, with an exact count', () => {
    const { run, counts } = incidentEngine()
    const { created } = run(Array.from({ length: 1_000 }, (_, n) => arrival(`10.0.${n >> 8}.${n & 255}`)))
    expect(created).toHaveLength(201)
    const many = created.find((row) => row.src_host === 'many sources')
    expect(counts.get(many?.incident_id ?? 0)).toBe(800)
  })

  it('counts what a Bird reports over all its services and logtypes', () => {
    const { run, counts } = incidentEngine()
    const kinds = [
      ['4002', 'ssh'],
      ['2000', 'ftp'],
      ['3001', 'http'],
      ['21001', 'redis'],
    ] as const
    const from = (n: number, change: Partial<Arrival>): Arrival => {
      const [type = '4002', instance = 'ssh'] = kinds[n % kinds.length] ?? []
      return { ...arrival(`10.0.${n >> 8}.${n & 255}`, 1_000, { logtype: type, instance }), ...change }
    }
    const many = Array.from({ length: 1_000 }, (_, n) => n)
    const flood = run(many.map((n) => from(n, { sentByBird: true })))
    expect(flood.created).toHaveLength(200 + kinds.length)
    const shared = flood.created.filter((row) => row.src_host === 'many sources')
    expect(shared.map((row) => counts.get(row.incident_id))).toEqual([200, 200, 200, 200])
    // What the console itself says of that Bird has incidents of its own.
    expect(run([arrival('', 1_000, { logtype: '1004' })]).created).toMatchObject([{ src_host: '' }])
    // A minute later it may have new ones again.
    expect(run([{ ...arrival('10.9.0.1', 62_000), sentByBird: true }]).created).toMatchObject([
      { src_host: '10.9.0.1' },
    ])
  })

  it('tells each source of an incident that several share once, and its events where they came from', () => {
    const { run, sources } = incidentEngine()
    const address = fc.constantFrom('2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.1')
    fc.assert(
      fc.property(fc.array(fc.array(address, { maxLength: 6 }), { maxLength: 6 }), (batches) => {
        for (const batch of batches) {
          const fields = run(batch.map((it) => arrival(it))).events.map(
            ({ body }) => JSON.parse(body) as Record<string, unknown>,
          )
          for (const { src_host, src_port } of fields) {
            expect([undefined, '2001:db8::1', '2001:db8::2', '2001:db8::3']).toContain(src_host)
            expect(src_port).toBe(src_host === undefined ? undefined : 1)
          }
        }
      }),
    )
    const [shared, ...others] = [...sources.values()]
    expect([shared?.known.size, others]).toEqual([2, []])
  })

  it('never believes an event from the future', () => {
    const { run } = incidentEngine()
    const { created, events } = run([arrival('192.0.2.1', 5_000, { at: 9_000 })])
    expect([created[0]?.created_at, events[0]?.at, events[0]?.received_at]).toEqual([5_000, 5_000, 5_000])
  })
})
