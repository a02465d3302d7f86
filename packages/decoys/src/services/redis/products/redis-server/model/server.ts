// The state of a server: its keys, users, scripts and counters.
import type { DenialEntry } from '../access/denial.ts'
import type { User } from '../access/user.ts'
import type { Keyspace } from '../values/keyspace.ts'

/** How often a command ran, waited, was refused before it ran, and failed when it ran. */
export interface CallCount {
  run: number
  /** Of those that ran, how many waited: Redis does not time them. */
  waited: number
  rejected: number
  failed: number
}

/** What the connections of one listener share. Commands change it in place. */
export interface ServerOf<Client> {
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
