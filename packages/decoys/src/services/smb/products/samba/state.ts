// What Samba keeps of one connection, more than every server does.
import type { Finished } from '../../protocol/call.ts'
import type * as shared from '../../protocol/state.ts'
import type { Connection, Lock, SharedFiles, SharedOpen } from './locking/locking.ts'
import type { SambaMachine } from './machine.ts'
import type { Message } from '../../protocol/codec/compound.ts'

export interface Samba {
  readonly machine: SambaMachine
  readonly config: { readonly locking: SharedFiles }
  readonly state: {
    /** As the other connections of the listener know it. */
    readonly connection: Connection
    /** A message of SMB2 came, or SMB1 led there: other frames than messages are passed over from now on. */
    readonly isSmb2: boolean
    /** A session of NetBIOS was asked for. */
    readonly hasNetbiosSession: boolean
    /** Ids are drawn; asynchronous ones count. */
    readonly lastAsync: bigint
  }
  readonly exchange: Exchange
  readonly file: {
    /** What other opens notice of it. */
    readonly shared: SharedOpen
    /** FilePositionInformation, as it was set. */
    readonly position: bigint
  }
  readonly request: {
    readonly for: Reason
    /** Of an open: what it is tried again with, and the requests of its compound that wait behind it. */
    readonly again: Again | undefined
  }
  /** It was answered with word that its answer follows, and its events were raised then. */
  readonly call: { readonly isAgain?: true }
  readonly outcome: {
    /** The answer comes later. */
    readonly waits?: Reason
    /** Answers to requests that waited, ahead of this one's. */
    readonly finishedBefore?: readonly Finished<Samba>[]
    /** A CREATE that could not be read: related requests behind it lack a file, and know no reason. */
    readonly isUnread?: true
  }
}

export type SambaConfig = shared.Config<Samba>
export type SambaState = shared.State<Samba>
export type Session = shared.Session<Samba>
export type Open = shared.Open<Samba>
export type OpenFile = shared.OpenFile<Samba>
export type OpenPipe = shared.OpenPipe<Samba>
export type PendingRequest = shared.WaitingRequest<Samba>

/** What would answer a request: a change, bytes of a pipe, a lock that goes, or a break that is acknowledged. */
export type Reason =
  | { readonly kind: 'change' }
  | { readonly kind: 'bytes'; readonly length: number; readonly isTransceive: boolean }
  /** `file`: its id. */
  | { readonly kind: 'lock'; readonly lock: Lock; readonly file: bigint }
  | { readonly kind: 'open'; readonly file: bigint }

/** What the messages of one login have said so far. */
export interface Exchange {
  /** As the first token came with them, which is not empty; later ones must have the same. */
  readonly demanded: { readonly securityMode: number; readonly flags: number } | undefined
  /** Whether NTLM comes without SPNEGO around it; undefined until a mechanism is chosen. */
  readonly isRaw: boolean | undefined
  /** The front of a token that is not whole. */
  readonly part: Buffer
  readonly challenge: Buffer | undefined
  /** Names come in characters of one byte, whatever the client's last message says of itself. */
  readonly isOem: boolean
  /** The client's system, as its first message of NTLM shows it. */
  readonly version: string | undefined
}

export interface Again {
  readonly message: Buffer
  readonly chain: shared.Chain | undefined
  readonly behind: readonly Message[]
}

/** Of the files and pipes of one connection. A pipe may hold far more than a file. */
export const MAX_PIPES = 16
