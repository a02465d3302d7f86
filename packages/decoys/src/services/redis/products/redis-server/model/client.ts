// The state of one connection.
import type { User } from '../access/user.ts'
import type { ArrayProgress } from '../codec.ts'
import type { SessionContext } from '../../../../../session/session.ts'
import type { Replica } from '../server/replica.ts'
import type { WatchedKey } from '../values/keyspace.ts'
import type { Protocol } from '../../../protocol/resp.ts'

export interface TrackingMode {
  /** `bcast`, `optin`, `optout`, `noloop`, `caching-yes`, `caching-no`. */
  readonly modes: Set<string>
  readonly prefixes: string[]
  readonly redirect: number
}

/** BLPOP and its kin, WAIT, XREAD BLOCK. */
export interface BlockedCommand<Command> {
  /** Tried again with these words. */
  readonly args: readonly string[]
  readonly command: Command | undefined
  readonly until: number | undefined
  readonly timeoutReply: string
}

/** One connection. Changed in place: copying it costs too much at 200,000 commands a second. */
export interface ClientOf<Command> {
  readonly id: number
  resp: Protocol
  db: number
  name: string
  readonly connectedAt: number
  /** The commands since MULTI; undefined outside a transaction. */
  queue: (readonly string[])[] | undefined
  queuedBytes: number
  /** A command was refused while it was queued: EXEC discards the transaction. */
  hasQueueError: boolean
  /** While EXEC or a script runs. */
  isInTransaction: boolean
  /** The command that ran last answers after so long. */
  waitMs: number | undefined
  /** What the command that ran last has begun goes on after so long. */
  wakeMs: number | undefined
  readonly replica: Replica
  readonly arrayProgress: ArrayProgress
  /** Behind the last command stood more bytes. */
  hasMoreInput: boolean
  /** Its next commands wait for the end of the last one, or of CLIENT PAUSE. */
  isHeld: boolean
  /** Of commands that came in one piece with the next one. */
  hasUnsentReplies: boolean
  user: User
  watched: WatchedKey[]
  isInScript: boolean
  readonly context: SessionContext
  lastAt: number
  /** The command that came last. */
  lastWords: readonly string[]
  /** CLIENT TRACKING. */
  tracking: TrackingMode | undefined
  /** CLIENT KILL: it is closed soon. */
  isKilled: boolean
  /** No password is set, or it was given. */
  isAuthenticated: boolean
  /** CLIENT REPLY. */
  replies: 'on' | 'off' | 'skip'
  readonly channels: Set<string>
  readonly shardChannels: Set<string>
  readonly patterns: Set<string>
  /** What their names take. */
  subscribedBytes: number
  /** What other connections have for it. */
  outbox: string[]
  outboxBytes: number
  /** What MONITOR shows of its own command, behind the reply. */
  ownLines: string
  blocked: BlockedCommand<Command> | undefined
  /** CLIENT PAUSE holds it back. */
  postponed: readonly string[] | undefined
}
