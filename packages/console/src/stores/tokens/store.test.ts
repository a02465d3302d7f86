import { expect, it } from 'vitest'
import { openQueryPlans } from '../../../test/query-plans.ts'
import { findTokenOfPeer } from './store.ts'

it('the token of a WireGuard client is found by an index, however many tokens there are', async () => {
  const { db, asked, planOf } = await openQueryPlans()
  expect(await findTokenOfPeer(db, 'a2V5')).toBeUndefined()
  const plans = asked().map(planOf)
  expect(plans).toEqual([['SEARCH token USING INDEX token_peer (peer_key=?)']])
})
