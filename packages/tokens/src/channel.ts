// A channel: a way by which a token can be met. Each has a folder below `channels/`, whose `channel.ts` is one of these.

/** What every visit carries, whatever its channel. */
export interface VisitBase {
  /** The channel's name, which is its folder's. */
  readonly channel: string
  readonly srcHost: string
  /** As artefacts name it. */
  readonly dstPort: number
  /** Header fields of the request; empty where the channel has none. */
  readonly headers: Readonly<Record<string, string>>
}

/** What tells a visit of one visitor apart, from the general to the particular; undefined for what is yet to be said. */
export type VisitDetail = readonly (string | undefined)[]

/** `V` is the visit that the channel sees, `A` what it can answer. Each method is called with the channel's own visits. */
export interface Channel<V extends VisitBase = VisitBase, A = unknown> {
  readonly name: V['channel']
  /** Requests of one visitor to one token within this time, none of which does something else, are one event. */
  readonly visitMs: number
  /** The same text for every request of one visitor, such as source address and user agent. */
  visitor(visit: V): string
  /** What tells visits of one visitor apart, for kinds without a rule of their own; without it nothing does. */
  visitorDetail?(visit: V): VisitDetail
  /** The program that the client says it is, as its `User-Agent`; undefined, as without it, where it says nothing. */
  userAgent?(visit: V): string | undefined
  /**
   * The event key of a domain name that later requests of a visit extend, as `b.t` by `a.b.t`: what they add counts with such a
   * name alone.
   */
  readonly growingKey?: string
  /** The event key `event_name`; empty where the channel has no name for its requests. */
  eventName(visit: V): string
  /** For how many touches it counts in a transaction, where a request may report many visits; without it, for one. */
  weigh?(visit: V): number
  /** The same visit in values that every database stores: printable texts, safe integers. */
  sanitize(visit: V): V
  /** The same visit without what makes it long: at most 16 KiB, for the spool of visits that wait for the database. */
  shorten?(visit: V): V
  /** The answer that gives nothing away: of a kind without an answer of its own, and of an unknown token. */
  blank(visit: V): A
}

/** Types a channel by its visit and its answer. */
export const channel = <V extends VisitBase, A>(definition: Channel<V, A>): Channel<V, A> => definition
