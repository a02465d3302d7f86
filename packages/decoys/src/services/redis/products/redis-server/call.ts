// One call of a command: its arguments, client and server, and how commands read arguments and keys.
import type { ArrayProgress } from './codec.ts'
import type { DenialEntry } from './access/denial.ts'
import type { User } from './access/user.ts'
import type { LineWork } from '../../../../session/line-work.ts'
import type { SessionContext } from '../../../../session/session.ts'
import type { Entry, EntryType, Keyspace, WatchedKey } from './values/keyspace.ts'
import { parseDouble } from '../../protocol/numbers.ts'
import type { Replica } from './server/replica.ts'
import type { Protocol } from '../../protocol/resp.ts'

/** How often a command ran, waited, was refused before it ran, and failed when it ran. */
export interface CallCount {
  run: number
  /** Of those that ran, how many waited: Redis does not time them. */
  waited: number
  rejected: number
  failed: number
}

/** What the connections of one listener share. */
export interface Server {
  readonly keyspace: Keyspace
  readonly config: Map<string, string>
  readonly users: Map<string, User>
  /** From when on it looks `hz` times a second for what is due, once `hz` was set (server/server-process.ts). */
  looksFrom: number | undefined
  /** The newest first. */
  denials: DenialEntry[]
  readonly clients: Set<Client>
  /** Those whose command waits, the longest first. */
  readonly waiting: Set<Client>
  /** The words of those commands, their keys among them. */
  readonly waitedWords: Set<string>
  /** One of these words was written since `waiting` was served last. */
  hasWritten: boolean
  readonly monitors: Set<Client>
  /** What waits in `outbox` of all clients. */
  outboxBytes: number
  /** CLIENT PAUSE. */
  pausedUntil: number
  pausesOnlyWrites: boolean
  /** Scripts by their SHA-1. */
  readonly scripts: Map<string, string>
  /** Of wall time, for the two that follow. */
  readonly steady: (wallMs: number) => number
  /** Scripts share a budget of work: the next one waits until then. */
  scriptsBusyUntil: number
  /** Other long work shares one, too. */
  busyUntil: number
  /** Set by SLAVEOF. */
  master: { readonly host: string; readonly port: number; readonly since: number } | undefined
  /** How often SLAVEOF NO ONE ended such a time: each gives it a new replication id. */
  formerMasters: number
  /** INFO errorstats: how often each code was answered. */
  readonly errors: Map<string, number>
  /** INFO commandstats. */
  readonly calls: Map<string, CallCount>
  /** The command that runs may look at all of a value that it finds: it pays for it. */
  weighs: boolean
  /** The command that runs only reads: what it finds, and does not, is counted. */
  isReading: boolean
  /** What the command that runs has changed; undefined: its reply tells. */
  changes: number | undefined
  readonly children: Children
  /** The newest first. */
  slowLog: SlowEntry[]
  slowEntries: number
  readonly counters: {
    clients: number
    /** The last id that a connection got. */
    clientIds: number
    connections: number
    commands: number
    errorReplies: number
    hits: number
    misses: number
    savedAt: number
    /** SAVE and BGSAVE; CONFIG RESETSTAT forgets them. */
    saves: number
    /** Child processes, for all that is done in the background; CONFIG RESETSTAT forgets them. */
    forks: number
    hasSavedInBackground: boolean
    dirty: number
  }
}

/** The child process that writes the data set (server/children.ts). */
export interface Children {
  running: Child | undefined
  /** The next one begins then, once the one that runs has ended. */
  scheduledAt: number | undefined
}

export interface Child {
  readonly until: number
  /** Changes that it writes, and keys. */
  readonly dirty: number
  readonly keys: number
  isKilled: boolean
}

export interface SlowEntry {
  readonly id: number
  readonly at: number
  readonly microseconds: number
  readonly words: readonly string[]
  readonly address: string
  readonly name: string
}

export interface TrackingMode {
  /** `bcast`, `optin`, `optout`, `noloop`, `caching-yes`, `caching-no`. */
  readonly modes: Set<string>
  readonly prefixes: string[]
  readonly redirect: number
}

/** BLPOP and its kin, WAIT, XREAD BLOCK. */
export interface BlockedCommand {
  /** Tried again with these words. */
  readonly args: readonly string[]
  readonly command: Command | undefined
  readonly until: number | undefined
  readonly timeoutReply: string
}

/** One connection. Changed in place: copying it costs too much at 200,000 commands a second. */
export interface Client {
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
  blocked: BlockedCommand | undefined
  /** CLIENT PAUSE holds it back. */
  postponed: readonly string[] | undefined
}

export interface Call {
  /** The command's name first. */
  readonly args: readonly string[]
  readonly server: Server
  readonly client: Client
  readonly context: SessionContext
  readonly now: number
  /** What the line may cost, with all that it makes others do. */
  readonly work: LineWork
}

export type Command = (call: Call) => string

/** Thrown to answer a command with an error; the message is the RESP error without its minus. */
export class ErrorReply extends Error {}

export const syntaxError = (): ErrorReply => new ErrorReply('ERR syntax error')
/** With the subcommand as it was written. */
export const wrongSubcommand = ({ args: [name, child] }: Pick<Call, 'args'>): ErrorReply =>
  new ErrorReply(
    `ERR unknown subcommand or wrong number of arguments for '${cString(child ?? '').slice(0, 128)}'. Try ${upper(name)} HELP.`,
  )
export const notInteger = (): ErrorReply => new ErrorReply('ERR value is not an integer or out of range')
const notFloat = (): ErrorReply => new ErrorReply('ERR value is not a valid float')
export const wrongType = (): ErrorReply =>
  new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value')

/** As a command finds it that only asks what a key is. */
export const peek = ({ server, client, now }: Call, key: string): Entry | undefined =>
  server.keyspace.find(client.db, key, now)

const FIND_WORK = 4
const CHARACTERS_A_UNIT = 16

/** What it takes to look at all of a value once. */
function weightOf({ type, value }: Entry): number {
  if (type === 'string') return value.length / CHARACTERS_A_UNIT
  if (type === 'list') return value.length
  return type === 'stream' ? value.entries.length : value.size
}

/** The same for a command that asks about a key, which INFO counts. */
export function look(call: Call, key: string): Entry | undefined {
  const entry = peek(call, key)
  call.work.spend(FIND_WORK + (entry && call.server.weighs ? weightOf(entry) : 0))
  if (call.server.isReading) call.server.counters[entry ? 'hits' : 'misses'] += 1
  return entry
}

export function find(call: Call, key: string): Entry | undefined {
  const entry = look(call, key)
  if (entry) entry.usedAt = call.now
  return entry
}

type Of<T extends EntryType> = Extract<Entry, { type: T }>

/** What INFO counts as changes, where the reply does not tell. Further ones of the same command are added. */
export function countChanges({ server }: Call, count: number): void {
  server.changes = (server.changes ?? 0) + count
}

/** The entry, if there is one. Throws WRONGTYPE if it has another type. */
export function findTyped<T extends EntryType>(call: Call, key: string, type: T): Of<T> | undefined {
  const entry = find(call, key)
  if (entry && entry.type !== type) throw wrongType()
  return entry as Of<T> | undefined
}

/** The entry; a new, empty one if there is none. */
export function findOrCreate<T extends Exclude<EntryType, 'string' | 'stream'>>(
  call: Call,
  key: string,
  type: T,
): Of<T> {
  const known = findTyped(call, key, type)
  if (known) return known
  const value = type === 'list' ? [] : type === 'set' ? new Set() : new Map()
  const entry = { type, value } as unknown as Of<T>
  call.server.keyspace.put(call.client.db, key, entry)
  return entry
}

export function put({ server, client, now }: Call, key: string, entry: Entry): void {
  entry.usedAt ??= now
  server.keyspace.put(client.db, key, entry)
}
export const remove = ({ server, client }: Call, key: string): boolean =>
  server.keyspace.remove(client.db, key)

/** Redis has no empty collections: removes the key with the last element. */
export function removeIfEmpty(call: Call, key: string, entry: Entry): void {
  // A stream may be empty, and so may a string.
  if (entry.type === 'string' || entry.type === 'stream') return
  if ((entry.type === 'list' ? entry.value.length : entry.value.size) === 0) remove(call, key)
}

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/
const INT64 = 2n ** 63n

/** A signed 64-bit integer in the only spelling that Redis accepts. */
export function toInt64(text: string | undefined): bigint {
  if (text === undefined || !INTEGER.test(text)) throw notInteger()
  const value = BigInt(text)
  if (value >= INT64 || value < -INT64) throw notInteger()
  return value
}
export const toInteger = (text: string | undefined): number => Number(toInt64(text))
/** Undefined: it is no integer of 64 bits. */
export const parseInteger = (text: string): number | undefined =>
  INTEGER.test(text) && isInt64(BigInt(text)) ? Number(text) : undefined
/** No less than zero. */
export const isCount = (text: string): boolean => (parseInteger(text) ?? -1) >= 0
export const isInt64 = (value: bigint): boolean => value < INT64 && value >= -INT64

/** An integer of 32 bits, signed. */
export function toInt32(text: string | undefined): number {
  const value = toInteger(text)
  if (value >= -(2 ** 31) && value < 2 ** 31) return value
  throw new ErrorReply('ERR value is out of range, value must between -2147483648 and 2147483647')
}

export function toFloat(text: string | undefined): number {
  const value = text === undefined || /^$|^\s|\0/.test(text) ? NaN : parseDouble(text)
  if (Number.isNaN(value) || (!Number.isFinite(value) && !/inf/i.test(text!))) throw notFloat()
  return value
}

/** The text up to its first NUL: what C's `%s` prints. */
export const cString = (text: string): string => text.split('\0', 1)[0]!

/** Start and end (exclusive) of a range; negative indexes count from the end. */
export function resolveRange(length: number, first: number, last: number): [number, number] {
  const from = Math.max(0, first < 0 ? length + first : first)
  const to = Math.min(length - 1, last < 0 ? length + last : last)
  return from > to ? [0, 0] : [from, to + 1]
}

export const upper = (text: string | undefined): string => text?.toUpperCase() ?? ''
