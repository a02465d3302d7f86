// A page must cost what it shows: whatever is asked for, the walk begins where the page does and needs no sorting.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openQueryPlans } from '../../../test/query-plans.ts'
import { incidentPage, type Order } from './list.store.ts'

const maybe = <T>(value: T): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, value)

it('every list of a state, a Flock or a node is a walk over its own index, from the row at which the page begins', async () => {
  const { db, asked, planOf } = await openQueryPlans()
  const position = { created_at: 5, incident_id: 7, updated_id: 5 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        acknowledged: fc.constantFrom<0 | 1 | undefined>(0, 1, undefined),
        flockId: maybe('flock:a'),
        nodeId: maybe('0123456789abcdef'),
        createdAfter: maybe(2),
        createdBefore: maybe(9),
      }),
      fc.record({
        order: fc.constantFrom<Order>('oldest', 'newest'),
        from: maybe(position),
        backward: fc.boolean(),
      }),
      async (conditions, { order, from, ...page }) => {
        const filter = Object.fromEntries(
          Object.entries(conditions).filter(([, value]) => value !== undefined),
        )
        asked()
        await incidentPage(db, 'all', filter, order, { ...page, ...(from && { from }), limit: 51 })
        const statements = asked()
        const [index, others] =
          conditions.nodeId !== undefined
            ? ['incident_by_node', [expect.stringContaining('SEARCH state USING INTEGER PRIMARY KEY')]]
            : [conditions.flockId === undefined ? 'incident_by_state' : 'incident_by_flock', []]
        const isOneWalk = conditions.acknowledged !== undefined || conditions.nodeId !== undefined
        expect(statements.length).toBe(isOneWalk ? 1 : 2)
        for (const steps of statements.map(planOf)) {
          expect(steps).toEqual([expect.stringMatching(`USING( COVERING)? INDEX ${index} `), ...others])
          // Within a millisecond, the walk passes over what came before.
          if (from) expect(steps[0]).toMatch(/AND created_at[<>]/)
        }
      },
    ),
  )
})
