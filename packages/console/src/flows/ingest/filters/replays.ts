// Replays: resolvers of threat intelligence repeat names for days, with an id that its first visit used up. A replay raises
// nothing; the event of the first visit counts it.
import { limit } from '@rookery/kernel/limit.ts'
import type { Tx } from '../../../db/query.ts'
import type { Amendment } from '../../../stores/incidents/amend.store.ts'
import {
  loadInvocations,
  storeInvocations,
  type InvocationRow,
} from '../../../stores/touches/invocations.store.ts'

export interface Invocation {
  readonly tokenNumber: number
  readonly id: string
  /** One request has it, and not the whole visit. */
  readonly isNonce?: boolean
}

export interface FirstVisit {
  readonly receivedAt: number
  /** Of its event; empty where it raised nothing. */
  readonly aggregationKey: string
}

export interface ReplayBatch {
  /** Reads which of them were seen before. */
  load(invocations: readonly Invocation[]): Promise<void>
  isSeen(invocation: Invocation): boolean
  /** Whether the id is new: then it is noted with its visit. */
  take(invocation: Invocation, first: FirstVisit): boolean
  /** What a replay adds to the event of the first visit; undefined once enough of them are counted. */
  amendment(
    invocation: Invocation,
    replay: { readonly srcHost: string; readonly receivedAt: number },
  ): Amendment | undefined
  store(): Promise<void>
}

/** Ids of runs and reports that are remembered of a token, so that a replay is known as one. */
const MAX_KEPT_OF_A_TOKEN = limit('invocations_of_a_token', 1_000)
/** Each is written: an intruder must not cause more than a few. */
const COUNTED_REPLAYS = limit('replays_of_an_invocation', 16)
const MAX_ID_CHARACTERS = 64

const keyOf = ({ tokenNumber, id }: Invocation): string => `${tokenNumber} ${id.slice(0, MAX_ID_CHARACTERS)}`

export function replayBatch(tx: Tx): ReplayBatch {
  const seen = new Map<string, InvocationRow>()
  const changed = new Set<string>()
  const columns = ({ tokenNumber, id }: Invocation) => ({
    token_number: tokenNumber,
    invocation: id.slice(0, MAX_ID_CHARACTERS),
  })

  return {
    async load(invocations) {
      // What the batch has noted is newer than what is stored.
      const unknown = invocations.filter((it) => !seen.has(keyOf(it)))
      if (unknown.length === 0) return
      for (const row of await loadInvocations(tx, unknown.map(columns)))
        seen.set(keyOf({ tokenNumber: row.token_number, id: row.invocation }), row)
    },
    isSeen: (invocation) => seen.has(keyOf(invocation)),
    take(invocation, { receivedAt, aggregationKey }) {
      const key = keyOf(invocation)
      if (seen.has(key)) return false
      const visit = { agg_key: aggregationKey, received_at: receivedAt, replays: 0, noted_id: 0 }
      seen.set(key, { ...columns(invocation), ...visit })
      changed.add(key)
      return true
    },
    amendment(invocation, { srcHost, receivedAt }) {
      const key = keyOf(invocation)
      const row = seen.get(key)
      if (!row) return undefined
      if (row.replays >= COUNTED_REPLAYS.max) {
        COUNTED_REPLAYS.hit()
        return undefined
      }
      const replays = row.replays + 1
      seen.set(key, { ...row, replays })
      changed.add(key)
      const fields = { replays, replayed_from: srcHost }
      return { at: row.received_at, aggregationKey: row.agg_key, fields, amendedAt: receivedAt }
    },
    async store() {
      if (changed.size === 0) return
      const rows = [...seen].flatMap(([key, row]) => (changed.has(key) ? [row] : []))
      let number = await tx.updatedIds(rows.length)
      const numbered = rows.map((row) => ({ ...row, noted_id: row.noted_id || number++ }))
      await storeInvocations(tx, numbered, MAX_KEPT_OF_A_TOKEN)
    },
  }
}
