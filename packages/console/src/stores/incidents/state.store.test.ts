// A portion of a bulk action must cost what it changes, however many incidents its Flock or its node has.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openQueryPlans } from '../../../test/query-plans.ts'
import { stateUpdate, type StateChange } from './state.store.ts'

it('the incidents of a portion are looked up by their numbers, whatever state is asked of them', async () => {
  const { db, planOf } = await openQueryPlans()
  const changes = fc.constantFrom<StateChange>('acknowledge', 'unacknowledge', 'delete')
  const states = fc.constantFrom(undefined, 0 as const, 1 as const)
  fc.assert(
    fc.property(states, changes, (acknowledged, change) => {
      const portion = { incidentIds: [1, 2, 3], change, by: 'a', now: 1, acknowledged, first: 1 }
      expect(planOf(stateUpdate('sqlite', portion).compile(db).sql)).toEqual([
        expect.stringContaining('SCAN x'),
        'SEARCH incident_state USING INTEGER PRIMARY KEY (rowid=?)',
      ])
    }),
  )
})
