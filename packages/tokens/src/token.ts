// A token kind besides its descriptor: the texts to plant, and for each channel what counts and what the visitor sees. All of it
// is pure and loads no library; a file to plant is made in `forge.ts`.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Derive } from './derive.ts'
import type { TokenDescriptor } from './descriptor.ts'
import type { IssuedValues } from './issued-values.ts'
import type { SettingsOf, TokenSettings } from './settings.ts'
import type { VisitDetail } from './channel.ts'
import { channelOf, type AnswerOn, type ChannelName, type Visit, type VisitOn } from './visit.ts'

/** Where a client connects to. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Which token it is, and where it can be met. */
export interface TokenAddress {
  readonly tokenId: string
  /** The whole decoy URL. */
  readonly url: string
  /** `<token id>.<zone>`. */
  readonly hostname: string
  /** Where its artefact logs in by MySQL; undefined while that channel is switched off. */
  readonly mysql?: Endpoint
  /** The same by PostgreSQL. */
  readonly postgres?: Endpoint
}

/** Where this console is met by channels that have no URL, as artefacts name it. */
export interface Placement {
  readonly wireguard: WireguardPlacement
}

export interface WireguardPlacement {
  /** `host:port` */
  readonly endpoint: string
  /** The server's public key, base64. */
  readonly publicKey: string
}

/** The keys and names of a token that the answer of its creation shows apart (2.9). */
export interface Credentials {
  readonly access_key_id?: string
  readonly secret_access_key?: string
  readonly username?: string
}

/** `fire` raises an incident, `quiet` is recorded without one, `nothing` is not kept. */
export type Verdict = 'fire' | 'quiet' | 'nothing'

/** A visit elsewhere, which a request reports: its event has the source and the time window of that visit. */
export interface ReportedVisit {
  /** Its own address; empty where none is known. */
  readonly srcHost: string
  /** The event key `event_name`. */
  readonly eventName: string
  /** The same text for every report of one visitor: within a minute, they are one event. */
  readonly visitor: string
  /** Event keys of the kind's own. */
  readonly fields: EventFields
  /** As `invocation` of the request's handler. */
  readonly invocation?: string
}

/** Which token a visit met. */
export interface VisitedToken {
  readonly tokenId: string
  readonly createdAt: number
  /** The bytes of which its keys and its artefacts are made. */
  readonly derive: Derive
}

/**
 * What a kind does with visits that came by one channel. All of it is pure; `at` is when the visit was received. There is no
 * `visited` where the database does not have the token.
 */
export interface VisitHandler<V, A, S> {
  /**
   * The visits that the request reports, each of which fires in its place, or none; undefined for a request that is no report,
   * which is judged itself. There are few: each may be an incident.
   */
  reported?(visit: V, settings: S): readonly ReportedVisit[] | undefined
  /** As of the channel, where that would tell apart requests of one visit; without it, the channel's. */
  visitor?(visit: V): string
  /** A throw counts as `fire`: a bug must never swallow an alert. Without it every visit fires. */
  judge?(visit: V, settings: S, at: number, visited?: VisitedToken): Verdict
  /** Event keys of the kind's own (`keys` of its descriptor), besides those that every token event has. */
  describe?(visit: V, settings: S, at: number, visited?: VisitedToken): EventFields
  /** What a later request of the same visit adds to its event; undefined for nothing. */
  amend?(visit: V, settings: S, visited?: VisitedToken): EventFields | undefined
  /**
   * For how long after its first request the visit takes what `amend` answers, `AMENDS_FOR_MS` at most; undefined, as without
   * it, while the visit goes on. Visits with a time of their own are remembered so long.
   */
  amendsForMs?(visit: V): number | undefined
  /**
   * An id that the visit carries and that is used once: a later visit with it is a replay, which raises nothing. Visits with
   * different ids are different visits, also of one visitor.
   */
  invocation?(visit: V, settings: S, at: number, visited?: VisitedToken): string | undefined
  /**
   * What tells a visit apart from others of one visitor, from the general to the particular, such as what is done and then the
   * user: within the time of the channel, visits with different ones are different visits. Unlike an `invocation`, they may come
   * again later. A request that says less is part of each visit that says more; one that says nothing, of any. Undefined at the
   * end stands for what a later request of the same visit says: the first that does joins it. Without it, the channel's.
   */
  visitorDetail?(visit: V): VisitDetail
  /**
   * What each request has of its own: a later one with the same is a replay, which raises nothing, whatever `judge` says of it.
   * Unlike an `invocation`, it tells no visits apart.
   */
  nonce?(visit: V): string | undefined
  /** Runs after the touch is committed. Without it the visitor gets the channel's blank answer. */
  answer?(visit: V, settings: S, visited?: VisitedToken): A
}

export interface TokenDefinition<S> {
  /**
   * Whether a token with these settings needs the provider that the descriptor names; without it every one does. `issued` is
   * for a token that needs it.
   */
  needsProvider?(settings: S): boolean
  /** Whether its artefact names no address of the console, so that its provider alone reports uses; without it, no. */
  isMetElsewhere?(settings: S): boolean
  /** What keeps touches of a new token from coming in, or makes it fire for nothing, for the answer of its creation: a sentence. */
  creationWarning?(settings: S): string | undefined
  /** The texts to plant, by name; a `bad-input` for settings that the kind cannot plant. */
  renders(address: TokenAddress, settings: S, issued?: IssuedValues): Readonly<Record<string, string>>
  /** What an artefact names to sign in with, shown with the new token alone; without it there is nothing. */
  credentials?(address: TokenAddress, settings: S, derive: Derive, issued?: IssuedValues): Credentials
  /**
   * The public key of the WireGuard client that its artefact configures, base64: by it the channel finds the token. Without
   * it there is none.
   */
  peerKey?(derive: Derive): string
  /** The private key of that client, 32 bytes: a self-test begins a handshake in its place. */
  clientKey?(derive: Derive): Uint8Array
  /** Loads what the handlers need for these settings; awaited before the first visit is judged. */
  prepare?(settings: S): Promise<void>
  /** By channel. A visit by another channel fires, with the common event keys alone. */
  readonly on: { readonly [C in ChannelName]?: VisitHandler<VisitOn<C>, AnswerOn<C>, S> }
}

export interface TokenKind extends TokenDefinition<TokenSettings> {
  readonly descriptor: TokenDescriptor
}

/** Settings are typed by the descriptor; `readSettings` checks them against it before a token is made. */
export const token = <const D extends TokenDescriptor>(
  descriptor: D,
  definition: TokenDefinition<SettingsOf<D['settings']>>,
): TokenKind => ({ descriptor, ...definition })

/** The provider that a token with these settings needs; undefined for none. */
export function providerNeeded(
  { descriptor: { provider }, needsProvider }: TokenKind,
  settings: TokenSettings,
): string | undefined {
  if (!provider || needsProvider?.(settings) === false) return undefined
  const chosen = provider.chosenBy === undefined ? undefined : settings[provider.chosenBy]
  return typeof chosen === 'string' ? chosen : provider.name
}

const handlerOf = (
  kind: TokenKind | undefined,
  { channel }: Visit,
): VisitHandler<Visit, unknown, TokenSettings> | undefined => kind?.on[channel]

/** What the kind says, or `otherwise` where it throws. */
function ask<T>(otherwise: T, question: () => T): T {
  try {
    return question()
  } catch {
    return otherwise
  }
}

/** Loads what the kind's handlers need. Where that fails, judging by it throws, and so the visit fires. */
export async function prepareKind(kind: TokenKind | undefined, settings: TokenSettings): Promise<void> {
  try {
    await kind?.prepare?.(settings)
  } catch {
    return
  }
}

/** The visits that the request reports; undefined where the kind throws, so that the request is judged itself. */
export const reportedVisits = (
  kind: TokenKind | undefined,
  visit: Visit,
  settings: TokenSettings,
): readonly ReportedVisit[] | undefined =>
  ask(undefined, () => handlerOf(kind, visit)?.reported?.(visit, settings))

/** The visitor by the kind's own rule; undefined where it has none, or throws: then the channel knows. */
export function visitorByKind(kind: TokenKind | undefined, visit: Visit): string | undefined {
  const handler = handlerOf(kind, visit)
  return handler?.visitor && ask(undefined, () => handler.visitor?.(visit))
}

/** Whether the visit fires, by the kind's own judgement; a kind that this console does not have always fires. */
export const judgeVisit = (
  kind: TokenKind | undefined,
  visit: Visit,
  settings: TokenSettings,
  at: number,
  visited?: VisitedToken,
): Verdict => ask('fire', () => handlerOf(kind, visit)?.judge?.(visit, settings, at, visited) ?? 'fire')

/** The kind's own event keys; none where it throws, so that the touch is stored all the same. */
export const describeVisit = (
  kind: TokenKind | undefined,
  visit: Visit,
  settings: TokenSettings,
  at: number,
  visited?: VisitedToken,
): EventFields => ask({}, () => handlerOf(kind, visit)?.describe?.(visit, settings, at, visited) ?? {})

/** What a later request of the visit adds to its event; nothing where the kind throws. */
export const amendmentOf = (
  kind: TokenKind | undefined,
  visit: Visit,
  settings: TokenSettings,
  visited?: VisitedToken,
): EventFields | undefined => ask(undefined, () => handlerOf(kind, visit)?.amend?.(visit, settings, visited))

/** The longest time for which a kind may have its visits amended. */
export const AMENDS_FOR_MS = 600_000

/** For how long the visit takes amendments; undefined for as long as it goes on, or where the kind throws. */
export function amendsForMs(kind: TokenKind | undefined, visit: Visit): number | undefined {
  const handler = handlerOf(kind, visit)
  const ms = handler?.amendsForMs && ask(undefined, () => handler.amendsForMs?.(visit))
  return ms && Math.min(ms, AMENDS_FOR_MS)
}

/** The id that the visit carries; none where the kind throws. */
export const invocationOf = (
  kind: TokenKind | undefined,
  visit: Visit,
  settings: TokenSettings,
  at: number,
  visited?: VisitedToken,
): string | undefined =>
  ask(undefined, () => handlerOf(kind, visit)?.invocation?.(visit, settings, at, visited))

/** What tells the visit apart from others of its visitor, by the channel where the kind has no rule of its own, or throws. */
export function visitorDetailOf(kind: TokenKind | undefined, visit: Visit): VisitDetail {
  const byKind = ask(undefined, () => handlerOf(kind, visit)?.visitorDetail?.(visit))
  return byKind ?? channelOf(visit).visitorDetail?.(visit) ?? []
}

/** What the request has of its own; undefined where the kind throws. */
export const nonceOf = (kind: TokenKind | undefined, visit: Visit): string | undefined =>
  ask(undefined, () => handlerOf(kind, visit)?.nonce?.(visit))
