import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/test-database.ts'
import { engines } from '../../../test/test-console.ts'
import { keysOfSource } from './aggregation.ts'
import { insertIncidents } from './write.store.ts'
import { openPreviouslySeen } from './sources.store.ts'

const row = (src_host: string, id: number) => ({
  incident_id: id,
  incident_key: `incident:x:${id}`,
  hash_id: String(id),
  logtype: '4002',
  summary: 'SSH Login Attempt',
  node_id: '0123456789abcdef',
  flock_id: 'flock:default',
  name: 'nas',
  memo: null,
  src_host,
  src_port: 1,
  dst_host: '10.0.0.5',
  dst_port: 2,
  ip_address: '',
  ippers: '',
  mac_address: '',
  created_at: 1,
  updated_at: 1,
  updated_id: id,
  events_count: 1,
  last_at: 1,
  // Not in the order of arrival.
  agg_key: `${keysOfSource(src_host).from}${(id * 7) % 10}`,
})

const source = fc.constantFrom('10.0.0.1', '10.0.0.10', '2001:db8::7', '2001:db8::8', 'many sources')

describe.each(engines)('how often a source was seen before (%s)', (name) => {
  it('is the number of its earlier incidents, up to the most that count', async () => {
    const { engine } = await openTestDatabase(name)
    await fc.assert(
      fc.asyncProperty(
        fc.array(source, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(39), { maxLength: 12 }),
        fc.integer({ min: 1, max: 8 }),
        async (sources, picked, atMost) => {
          const rows = sources.map((src_host, at) => row(src_host, at + 1))
          await engine.transaction(async (tx) => {
            await tx.query.deleteFrom('incident_fact').execute()
            await tx.query.deleteFrom('incident_state').execute()
            await insertIncidents(tx, rows)
          })
          const previouslySeen = openPreviouslySeen(engine, atMost)
          // Asked again, it remembers.
          for (const some of [picked.slice(0, 4), picked]) {
            const asked = [...new Set(some)].flatMap((at) => rows[at] ?? [])
            const seen = await previouslySeen.of(asked)
            for (const { incident_id, src_host } of asked) {
              const earlier = rows.filter((it) => it.src_host === src_host && it.incident_id < incident_id)
              expect(seen.get(incident_id)).toBe(Math.min(atMost, earlier.length))
            }
            expect(seen.size).toBe(asked.length)
          }
        },
      ),
    )
  })
})
