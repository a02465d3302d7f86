// How much a host lets intruders take, and what it counts.
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { AnswerLimits } from './udp/answer-gate.ts'
import type { ConnectionLimits } from './sharing/connection-table.ts'
import type { DatagramLimits } from './udp/datagram-touches.ts'

/** Sources of silent or refused connections that are counted apart at a time. */
export const SILENT_SOURCES = limit('decoy_silent_sources', 4_096)

/** Sources, each with a decoy that has reported it, of which a connection without an event is not reported for a minute. */
export const REPORTED_SOURCES = limit('decoy_reported_sources', 4_096)

export interface HostLimits extends ConnectionLimits, AnswerLimits, DatagramLimits {
  /** Connections that wait unread for room at one port, and at all ports; beyond it one of them is reset. */
  readonly waitingPerPort: Limit
  readonly waitingPerHost: Limit
  /** How long a connection may say nothing before it counts as silent. */
  readonly silenceMs: number
  /** Bytes that wait to be sent; above it the host reads no more from the connection. */
  readonly highWaterBytes: number
  /** Bytes that wait to be sent on all connections, but for 4 KiB of each; the one for which much waits longest is closed. */
  readonly unsentBytes: Limit
  /** Bytes of peers that all sessions keep, such as frames that are not whole; the one that keeps longest is closed. */
  readonly unreadBytes: Limit
  /** Bytes of datagrams that wait for their decoy's share of a turn, at one port. */
  readonly datagramBytes: Limit
  /** Conversations by UDP at ports of their own, and how long each lasts at most. */
  readonly conversations: Limit
  readonly conversationMs: number
  /** How long a connection that we closed waits for its peer's close. */
  readonly lingerMs: number
}

const MEBIBYTE = 1024 * 1024

export const defaultLimits: HostLimits = {
  /** Connections to one decoy. */
  perPort: limit('decoy_connections_per_port', 512),
  /** Connections to all decoys of a Bird. */
  perHost: limit('decoy_connections', 4_096),
  /** Connections that wait until one decoy has room, as many as the backlog of a usual server. */
  waitingPerPort: limit('decoy_connections_waiting_per_port', 511),
  /** Connections that wait until a decoy of a Bird has room. */
  waitingPerHost: limit('decoy_connections_waiting', 2_048),
  silenceMs: 30_000,
  highWaterBytes: 64 * 1024,
  /** Answers that peers do not read; beyond it the connection that has kept much for longest is closed. */
  unsentBytes: limit('decoy_bytes_unsent', 32 * MEBIBYTE),
  /** What peers have sent and sessions keep; beyond it the connection that keeps longest is closed. */
  unreadBytes: limit('decoy_bytes_unread', 4 * MEBIBYTE),
  /** Bytes of datagrams that wait at one port, as many as Linux keeps; further datagrams are dropped. */
  datagramBytes: limit('decoy_datagram_bytes_waiting', 212_992),
  /** Conversations by UDP at ports of their own; a new one takes the place of one whose peer has not answered there. */
  conversations: limit('decoy_conversations', 256),
  conversationMs: 30_000,
  lingerMs: 1_000,
  /** Answers that are longer than their question, from one decoy to one source in a second, behind 100 at once. */
  answersPerSource: limit('decoy_answers_per_source', 10),
  answersAtOnce: 100,
  /** Answers that are longer than their question, from one decoy to all sources in a second. */
  answersInAll: limit('decoy_answers', 1_000),
  /** Sources whose answers over UDP are counted. */
  answeredSources: limit('decoy_answered_sources', 4_096),
  /** Bytes of an answer over UDP beyond those of its question, unless its decoy declares more; a longer one is not sent. */
  answerBytes: limit('decoy_answer_bytes', 0),
  /** Datagrams of one source that raise events in a minute; further ones are counted in a report. */
  datagramEventsPerSource: limit('decoy_datagram_events_per_source', 60),
  /** Datagrams that raise an event or a report in a second; further ones are no touches. */
  datagramTouches: limit('decoy_datagram_touches', 200),
  /** Sources whose datagrams are counted. */
  datagramSources: limit('decoy_datagram_sources', 4_096),
  /** One counter for the datagrams of all sources. */
  counters: limit('decoy_datagram_counters', 1),
}

/** Counters since the host was opened, but for `openConnections` and `waiting`, which count those of now. */
export interface HostStats {
  openConnections: number
  /** Connections that are accepted and wait unread for room. */
  waiting: number
  accepted: number
  datagrams: number
  refused: number
  errors: number
  /** The last error with its stack, for the log. */
  lastError: string | undefined
}

export const emptyStats = (): HostStats => ({
  openConnections: 0,
  waiting: 0,
  accepted: 0,
  datagrams: 0,
  refused: 0,
  errors: 0,
  lastError: undefined,
})
