// What comes in: a Bird's batch, a token's visit, or something the console itself noticed.
import type { ProviderEvent } from '@rookery/tokens/provider.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { ReportedVisit, Verdict, VisitedToken } from '@rookery/tokens/token.ts'
import type { Visit } from '@rookery/tokens/visit.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { FeedRow } from '../../stores/providers/feeds.store.ts'
import type { TouchNumber } from '../../stores/touches/positions.store.ts'
import type { Subject } from '../raise/arrival.ts'
import type { CachedToken } from './tokens/token-cache.ts'

/** Events of one spool, in their order; `seq` counts 1, 2, 3 … within the spool. */
export interface BirdBatch {
  readonly nodeId: string
  readonly spoolId: string
  readonly receivedAt: number
  readonly events: readonly { readonly seq: number; readonly touch: Touch }[]
}

export interface TokenVisit {
  readonly tokenId: string
  readonly visit: Visit
  readonly srcPort: number
  readonly dstHost: string
  readonly receivedAt: number
  /** A visit with a number that is stored already raises nothing. */
  readonly number?: TouchNumber
}

/** What the kind of the token says of a visit. */
export interface Judgement {
  /** By what it was judged. */
  readonly token: Pick<CachedToken, 'kind' | 'settings' | 'enabled'>
  /** What the request reports, and is then not judged itself. */
  readonly reported?: readonly ReportedVisit[] | undefined
  readonly verdict: Verdict
}

export interface JudgedVisit extends TokenVisit {
  /** Absent where the token was not known. */
  readonly judgement?: Judgement | undefined
}

/** What the channel needs for its answer; `kind` is undefined when there is no such live token. */
export interface TokenOutcome {
  readonly kind: string | undefined
  readonly settings: TokenSettings
  readonly visited?: VisitedToken
}

/** A touch of the console itself (liveness, changed settings). */
export interface ConsoleTouch {
  readonly touch: Touch
  readonly subject: Subject
  readonly receivedAt: number
}

/** What one request to a provider's feed reported, or one poll of it. */
export interface ProviderBatch {
  readonly provider: string
  readonly events: readonly ProviderEvent[]
  readonly receivedAt: number
  /** What it says of the feed; stored with the events. */
  readonly feed: Partial<Omit<FeedRow, 'provider'>>
}

/** Deferred touches whose source has been looked up. */
export interface ReleasedTouches {
  readonly deferredIds: readonly number[]
  /** Their contents are sanitized first. */
  readonly isSanitized: boolean
}

export type IngestItem =
  | { readonly type: 'bird'; readonly batch: BirdBatch; readonly done: (storedUpTo: number) => void }
  | { readonly type: 'token'; readonly visit: JudgedVisit; readonly done: (outcome: TokenOutcome) => void }
  | { readonly type: 'console'; readonly console: ConsoleTouch; readonly done: () => void }
  | { readonly type: 'provider'; readonly provider: ProviderBatch; readonly done: () => void }
  | { readonly type: 'released'; readonly released: ReleasedTouches; readonly done: () => void }
