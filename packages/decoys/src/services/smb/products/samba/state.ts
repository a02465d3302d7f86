// What Samba keeps of one connection.
import type { SessionContext } from '../../../../session/session.ts'
import type { Dialect } from '../../protocol/codec/dialect.ts'
import type { Header } from '../../protocol/codec/header.ts'
import type { CreditWindow } from '../../protocol/credits.ts'
import type { OpenFacts } from '../../protocol/state.ts'
import type { FileNode, TreeNode } from '../../protocol/tree/tree.ts'
import type { FileContent } from '../../protocol/tree/content/content.ts'
import type { Connection, Lock, SharedFiles, SharedOpen } from './locking/locking.ts'
import type { SambaMachine } from './machine.ts'
import type { Pipe } from '../../protocol/pipes/pipe.ts'
import { type FileId } from '../../protocol/codec/file-id.ts'

/** The same for every connection of a listener. */
export interface SambaConfig {
  readonly machine: (derive: SessionContext['derive']) => SambaMachine
  readonly contentOf: (file: FileNode, derive: SessionContext['derive']) => FileContent
  readonly locking: SharedFiles
}

export interface Negotiated {
  readonly dialect: Dialect
  readonly capabilities: number
  readonly securityMode: number
  /** Algorithm of signatures: 0 HMAC-SHA256, 1 AES-CMAC, 2 AES-GMAC. */
  readonly signing: number
  /** What the client said of itself, which FSCTL_VALIDATE_NEGOTIATE_INFO repeats. */
  readonly client: {
    readonly capabilities: number
    readonly guid: Buffer
    readonly securityMode: number
    readonly dialects: readonly number[]
  }
}

export interface SambaState {
  /** As the other connections of the listener know it. */
  readonly connection: Connection
  /** A message of SMB2 came, or SMB1 led there: other frames than messages are passed over from now on. */
  readonly isSmb2: boolean
  /** A session of NetBIOS was asked for. */
  readonly hasNetbiosSession: boolean
  readonly negotiated: Negotiated | undefined
  /** Of the connection, for 3.1.1. */
  readonly preauthHash: Buffer
  readonly window: CreditWindow
  readonly sessions: ReadonlyMap<bigint, Session>
  /** Requests that are answered later, by asynchronous id. */
  readonly waiting: ReadonlyMap<bigint, PendingRequest>
  /** Ids are drawn; asynchronous ones count. */
  readonly lastAsync: bigint
  /** Bytes of a long message that are still to come. */
  readonly discard: number
}

export interface Session {
  readonly id: bigint
  readonly login: LoginStage
  /** Of the messages that set the session up, for 3.1.1. */
  readonly preauthHash: Buffer
  readonly signingKey: Buffer | undefined
  readonly trees: ReadonlyMap<number, Tree>
  readonly opens: ReadonlyMap<FileId, Open>
}

export interface LoginStage {
  /** Undefined before the first login is done. */
  readonly identity: Identity | undefined
  /** The login that is going on: first or anew. */
  readonly exchange: Exchange | undefined
}

/** What the messages of one login have said so far. */
export interface Exchange {
  readonly securityMode: number
  readonly flags: number
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

export interface Identity {
  readonly isAnonymous: boolean
  readonly user: string
  readonly domain: string
  readonly workstation: string
  readonly system: string
}

export interface Tree {
  readonly id: number
  readonly kind: 'disk' | 'pipes'
  readonly name: string
}

export interface OpenFile extends OpenFacts {
  readonly kind: 'file'
  readonly node: TreeNode
  /** Reading raises an event once for each open. */
  readonly wasRead: boolean
  /** What other opens notice of it. */
  readonly shared: SharedOpen
  readonly search: Search | undefined
  /** FilePositionInformation, as it was set. */
  readonly position: bigint
}

export interface Search {
  readonly pattern: string
  /** How many entries were returned or passed over. */
  readonly position: number
  readonly hasFound: boolean
}

export interface OpenPipe extends OpenFacts {
  readonly kind: 'pipe'
  readonly name: string
  readonly pipe: Pipe<SambaMachine>
}

export type Open = OpenFile | OpenPipe

export interface PendingRequest {
  readonly sessionId: bigint
  readonly treeId: number
  readonly header: Header
  readonly fileId: FileId
  /** What would answer it: a change, bytes of a pipe, a lock that goes, or a break that is acknowledged. */
  readonly for:
    | { readonly kind: 'change' }
    | { readonly kind: 'bytes'; readonly length: number; readonly isTransceive: boolean }
    /** `file`: its id. */
    | { readonly kind: 'lock'; readonly lock: Lock; readonly file: bigint }
    | { readonly kind: 'open'; readonly file: bigint }
  /** Of an open: what it is tried again with, and the requests of its compound that wait behind it. */
  readonly again: Again | undefined
}

export interface Again {
  readonly message: Buffer
  readonly chain: Chain | undefined
  readonly behind: readonly Message[]
}

/** One request of a frame. */
export interface Message {
  readonly header: Header
  readonly bytes: Buffer
  /** Copied to the answer, as the rest of the header. */
  readonly signature: Buffer
}

/** What a related request takes over from the one before it. */
export interface Chain {
  readonly sessionId: bigint
  readonly treeId: number
  readonly fileId: FileId | undefined
  /** Its CREATE failed: the requests that need the file fail alike. */
  readonly failure: number | undefined
}

/** Of the files and pipes of one connection. A pipe may hold far more than a file. */
export const MAX_PIPES = 16
