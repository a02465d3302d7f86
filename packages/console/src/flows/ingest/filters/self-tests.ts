// Touches of self-tests: recorded as such, and raised only where the test asks for an alert. No list, no count and no other
// incident has to do with them.
import type { EventFields } from '@rookery/kernel/touch.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { SelfTest } from '../../../stores/tokens/tests.store.ts'
import type { TokenVisit } from '../ingest-item.ts'
import type { QuietTouch } from './quiet-touches.ts'
import type { TokenArrival } from '../tokens/arrival.ts'
import type { CachedToken } from '../tokens/token-cache.ts'
import { arrivalOf, eventFields } from '../tokens/visit-arrival.ts'
import { visitorOf } from './visit-dedup.ts'

/** Later touches raise nothing: resolvers repeat names for days. */
const ALERTS_FOR_MS = 60_000

export interface TestTouch {
  readonly visitor: string
  /** An incident of its own, whose memo says that it is a test. */
  readonly arrival?: TokenArrival
  readonly quiet?: QuietTouch
}

/** The visit has the id of the test in the place of the token's. */
export function takeTest(visit: TokenVisit, token: CachedToken, test: SelfTest): TestTouch {
  const kind = kinds[token.kind]
  const visitor = visitorOf(visit, kind)
  const ofToken = { ...visit, tokenId: token.token_id }
  const { receivedAt } = visit
  const fields: EventFields = { ...eventFields(ofToken, token, kind), self_test: test.test_id }
  if (test.alerts === 0 || Math.abs(receivedAt - test.started_at) >= ALERTS_FOR_MS) {
    const reason = `self-test by key ${test.started_by}`
    return { visitor, quiet: { tokenNumber: token.number, visitor, receivedAt, reason, fields } }
  }
  const arrival = arrivalOf(ofToken, token, kind)
  return {
    visitor,
    arrival: {
      ...arrival,
      token: undefined,
      subject: { ...arrival.subject, memo: `Self-test: ${token.memo}` },
      touch: { ...arrival.touch, instance: `self-test ${test.test_id}`, fields },
    },
  }
}
