// What the two state machines of a delivery queue have in common: what happened goes in, what to do comes out.
import type { SendResult } from '../senders/sender.ts'

/** What the machines need of a message; the driver's rows carry the rest. */
export interface QueuedMessage {
  readonly delivery_id: number
  readonly attempts: number
  /** 1 once it goes out without the intruder's text. */
  readonly reduced: number
  /** 1 once some of its recipients have it: the rest get it on a schedule of its own. */
  readonly partly_sent: number
  /** Not tried before this instant. */
  readonly next_at: number
  readonly created_at: number
}

export type Input<M> =
  /** Messages may wait, or the time to sleep is over. */
  | { readonly type: 'woken' }
  /** The receiver has just taken a message elsewhere. */
  | { readonly type: 'recovered' }
  | { readonly type: 'loaded'; readonly messages: readonly M[] }
  /** One try. `jitter` is from 0 to 1. */
  | { readonly type: 'sent'; readonly message: M; readonly result: SendResult; readonly jitter: number }
  | { readonly type: 'folded' }
  /** The receiver takes no messages now. */
  | { readonly type: 'refused'; readonly reason: string }

/** Done before the action, in their order. */
export type Effect<M> =
  | {
      readonly type: 'record'
      readonly message: M
      readonly state: RecordedState
      readonly result: SendResult
    }
  /** Wait until every record is stored. */
  | { readonly type: 'settle' }
  | { readonly type: 'mark-failing'; readonly since: number | null }
  /** The receiver works: the other machine tries its messages at once. */
  | { readonly type: 'report-recovered' }
  /** A message waits for the other machine. */
  | { readonly type: 'wake-other' }
  | { readonly type: 'switch-off'; readonly reason: string }
  | { readonly type: 'drop-waiting'; readonly reason: string }

export type RecordedState = 'delivered' | 'waiting' | 'failed'

/** The one thing to do next; its result is the next input. */
export type Action<M> =
  /** The messages after this one. */
  | { readonly type: 'load'; readonly after: number; readonly max: number }
  | { readonly type: 'send'; readonly message: M }
  /** Fold what waits after this one into a digest. */
  | { readonly type: 'fold'; readonly after: number }
  /** Until `woken` or `recovered`; with an instant, `woken` comes then at the latest. */
  | { readonly type: 'sleep'; readonly until?: number }

export interface Step<S, M> {
  readonly state: S
  readonly effects: readonly Effect<M>[]
  readonly action: Action<M>
}

export const GONE_REASON = 'It answered 410: it wants no message any more.'
