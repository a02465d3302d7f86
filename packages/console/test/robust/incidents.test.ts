// The incident engine against a model: after any sequence of touches and actions the kept counts are the real ones,
// every change has a number of its own, and a poller that passes the largest one it saw misses nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { engines, openTestConsole, type TestConsole } from '../test-console.ts'
import { sshLogin } from '../touches.ts'

type Step =
  | { readonly do: 'touch'; readonly sources: readonly number[] }
  | { readonly do: 'acknowledge' | 'unacknowledge' | 'delete'; readonly which: number }
  | {
      readonly do: 'sweep'
      readonly action: 'acknowledge' | 'unacknowledge' | 'delete'
      readonly source: number
    }
  | { readonly do: 'poll' }

const source = fc.nat({ max: 4 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('touch' as const),
      sources: fc.array(source, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('acknowledge' as const, 'unacknowledge' as const, 'delete' as const),
      which: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sweep' as const),
      action: fc.constantFrom('acknowledge' as const, 'unacknowledge' as const, 'delete' as const),
      source,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
)

interface Seen {
  readonly updatedId: number
  readonly events: number
}

interface Listed {
  readonly id: string
  readonly updated_id: number
  readonly description: {
    readonly events_count: string
    readonly src_host: string
    readonly acknowledged: string
  }
}

async function list(rookery: TestConsole, params: Record<string, string | number> = {}): Promise<Listed[]> {
  return (await rookery.get('/incidents/all', params)).json['incidents'] as unknown as Listed[]
}

const addressOf = (n: number): string => `192.0.2.${n}`

/** What is kept, counted again the slow way. */
async function recount({ console: { base } }: TestConsole) {
  const rows = await base.reader.selectFrom('incident').selectAll().execute()
  const living = rows.filter((row) => row.deleted_at === null)
  const kept = await base.reader.selectFrom('incident_count').selectAll().execute()
  const countOf = (acknowledged: number): number =>
    living.filter((row) => row.acknowledged === acknowledged).length
  expect(Object.fromEntries(kept.map((row) => [row.acknowledged, Number(row.n)]))).toMatchObject(
    Object.fromEntries(kept.map((row) => [row.acknowledged, countOf(row.acknowledged)])),
  )
  expect(kept.reduce((sum, row) => sum + Number(row.n), 0)).toBe(living.length)
  const numbers = rows.map((row) => row.updated_id)
  expect(new Set(numbers).size).toBe(numbers.length)
  const events = await base.reader.selectFrom('incident_event').selectAll().execute()
  for (const row of rows)
    expect(events.filter((it) => it.incident_id === row.incident_id).length).toBe(
      Math.min(row.events_count, 1_000),
    )
  return rows.reduce((sum, row) => sum + row.events_count, 0)
}

describe.each(engines)('incidents (%s)', (engine) => {
  it('keep true counts through any sequence of touches and actions', async () => {
    // One console for all runs: it is emptied before each.
    const rookery = await openTestConsole({ engine })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        let touches = 0
        const known = new Map<string, Seen>()
        let largest = 0
        await rookery.call('DELETE', '/incidents/delete', { older_than: '0h', include_unacknowledged: true })
        const before = await recount(rookery)

        async function poll(): Promise<void> {
          for (const { id, updated_id, description } of await list(rookery, { incidents_since: largest })) {
            known.set(id, { updatedId: updated_id, events: Number(description.events_count) })
            largest = Math.max(largest, updated_id)
          }
        }
        for (const it of steps) {
          const incidents = await list(rookery)
          if (it.do === 'touch') {
            touches += it.sources.length
            // At once: some share a batch, some an aggregation key within it.
            await Promise.all(
              it.sources.map((n) => rookery.console.ingest.fromConsole(sshLogin({ srcHost: addressOf(n) }))),
            )
          } else if (it.do === 'poll') await poll()
          else if (it.do === 'sweep') {
            const params = {
              src_host: addressOf(it.source),
              ...(it.action === 'delete' && { include_unacknowledged: true }),
            }
            expect((await rookery.post(`/incidents/${it.action}`, params)).status).toBe(200)
          } else if (incidents.length > 0) {
            const one = incidents[it.which % incidents.length] as Listed
            const isRefused = it.do === 'delete' && one.description.acknowledged === 'False'
            const { status } = await rookery.post(`/incident/${it.do}`, { incident: one.id })
            expect(status).toBe(isRefused ? 409 : 200)
          }
        }
        await poll()
        for (const { id, updated_id, description } of await list(rookery))
          expect(known.get(id)).toEqual({ updatedId: updated_id, events: Number(description.events_count) })
        expect(await recount(rookery)).toBe(before + touches)
        // An open incident of each key at most: the next touch finds it, whatever happened.
        const open = await list(rookery)
        for (const n of [0, 1, 2, 3, 4])
          await rookery.console.ingest.fromConsole(sshLogin({ srcHost: addressOf(n) }))
        const later = await list(rookery)
        expect(later.length).toBeLessThanOrEqual(open.length + 5)
      }),
      { numRuns: sized(engine === 'sqlite' ? 25 : 10, 3) },
    )
  })

  it('count touches of one key in one batch and over batches alike, and keep the first 100 and last 900', async () => {
    const rookery = await openTestConsole({ engine })
    const many = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, (_, n) =>
          rookery.console.ingest.fromConsole(sshLogin({ fields: { USERNAME: `u${from + n}` } })),
        ),
      )
    await many(0, 1)
    await many(1, 700)
    await many(700, 1_250)
    const [incident] = await list(rookery)
    expect(incident?.description.events_count).toBe('1250')
    const { events } = (await rookery.get('/incident/fetch', { incident: incident?.id ?? '' })).json[
      'incident'
    ] as unknown as {
      events: { USERNAME: string }[]
    }
    const kept = [
      ...Array.from({ length: 100 }, (_, n) => n),
      ...Array.from({ length: 900 }, (_, n) => 350 + n),
    ]
    expect(events.map(({ USERNAME }) => USERNAME)).toEqual(kept.map((n) => `u${n}`))
    await recount(rookery)
  })

  it('pages neither repeat nor skip what did not change while others change their state', async () => {
    const rookery = await openTestConsole({ engine })
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        rookery.console.ingest.fromConsole(sshLogin({ srcHost: addressOf(n), instance: `ssh${n}` })),
      ),
    )
    const whole = (await list(rookery)).map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | null = null
    let at = 0
    do {
      const { json } = await rookery.get(
        '/incidents/unacknowledged',
        cursor === null ? { limit: 7 } : { cursor },
      )
      seen.push(...(json['incidents'] as unknown as Listed[]).map(({ id }) => id))
      // Behind and ahead of the page, incidents leave the list.
      for (const id of [whole[at], whole[at + 20]])
        if (id !== undefined) await rookery.post('/incident/acknowledge', { incident: id })
      at += 7
      cursor = (json['cursor'] as unknown as { next: string | null }).next
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(seen.length)
    const unchanged = (await list(rookery))
      .filter(({ description }) => description.acknowledged === 'False')
      .map(({ id }) => id)
    expect(unchanged.filter((id) => !seen.includes(id))).toEqual([])
  })
})
