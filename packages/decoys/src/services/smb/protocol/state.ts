// The configuration of an SMB server, and the state of one connection.
import type { SessionContext } from '../../../session/session.ts'
import type { Dialect } from './codec/dialect.ts'
import { join, u32, zeros } from '../../../windows/fields.ts'
import type { CreditWindow } from './credits.ts'
import type { Machine } from './machine.ts'
import type { Pipe } from './pipes/pipe.ts'
import type { FileContent } from './tree/content/content.ts'
import type { FileNode, TreeNode } from './tree/tree.ts'
import { fileIdOf, type FileId } from './codec/file-id.ts'

/** The same for every connection of a listener. */
export interface SmbConfig {
  readonly machine: (derive: SessionContext['derive']) => Machine
  readonly contentOf: (file: FileNode, derive: SessionContext['derive']) => FileContent
}

export interface Negotiated {
  readonly dialect: Dialect
  /** What the client said of itself, which FSCTL_VALIDATE_NEGOTIATE_INFO repeats. */
  readonly client: {
    readonly capabilities: number
    readonly guid: Buffer
    readonly securityMode: number
    readonly dialects: readonly number[]
  }
  readonly capabilities: number
  readonly securityMode: number
}

export interface SmbState {
  /** Direct TCP, or a NetBIOS session that is still to be asked for, or that stands. */
  readonly transport: Transport
  readonly negotiated: Negotiated | undefined
  /** An SMB1 negotiation was answered, and the client is to negotiate anew. */
  readonly isUpgraded: boolean
  /** Of the connection, for 3.1.1. */
  readonly preauthHash: Buffer
  readonly window: CreditWindow
  readonly sessions: ReadonlyMap<bigint, SmbSession>
  /** Requests that are answered later: CHANGE_NOTIFY, and reads of an empty pipe. By asynchronous id. */
  readonly waiting: ReadonlyMap<bigint, WaitingRequest>
  /** Numbers of sessions, trees, files and asynchronous requests grow from it. */
  readonly lastNumber: number
  /** Bytes of a long write that are still to come. */
  readonly discard: number
}

export type Transport = 'direct' | 'netbios-closed' | 'netbios-open'

export interface SmbSession {
  readonly id: bigint
  readonly login: LoginStage
  /** Of the messages that set the session up, for 3.1.1. */
  readonly preauthHash: Buffer
  readonly trees: ReadonlyMap<number, Tree>
  readonly opens: ReadonlyMap<FileId, Open>
}

export type LoginStage =
  /** Waits for the client's first token, or for one of NTLM. */
  | { readonly name: 'begun' }
  | { readonly name: 'challenged'; readonly challenge: Buffer; readonly version: string | undefined }
  | ({ readonly name: 'open' } & Identity)

export interface Identity {
  readonly kind: 'guest' | 'anonymous'
  readonly user: string
  readonly domain: string
  readonly workstation: string
  /** The client's system, as far as NTLM shows it. */
  readonly system: string
  /** Undefined when only the client knows it. */
  readonly signingKey: Buffer | undefined
}

export type Tree = { readonly id: number } & (
  | { readonly kind: 'disk'; readonly name: string }
  | { readonly kind: 'pipes'; readonly name: string }
)

export type Open = OpenFile | OpenPipe

export interface OpenFacts {
  readonly id: FileId
  readonly treeId: number
  readonly access: number
}

export interface OpenFile extends OpenFacts {
  readonly kind: 'file'
  readonly node: TreeNode
  /** Reading raises an event once for each open. */
  readonly wasRead: boolean
  /** Ranges that are locked. */
  readonly locks: number
  /** The search of a directory. */
  readonly search: DirectorySearch | undefined
}

export interface DirectorySearch {
  readonly pattern: string
  /** How many names were returned or passed over. */
  readonly position: number
  readonly hasFound: boolean
}

export interface OpenPipe extends OpenFacts {
  readonly kind: 'pipe'
  readonly name: string
  readonly pipe: Pipe<Machine>
}

export interface WaitingRequest {
  readonly sessionId: bigint
  readonly treeId: number
  readonly messageId: bigint
  readonly command: number
  readonly fileId: FileId
  readonly isSigned: boolean
}

/** Limits of one connection. */
export const MAX_SESSIONS = 16
export const MAX_TREES = 32
export const MAX_OPENS = 64
/** Of them. A pipe may hold far more than a file. */
export const MAX_PIPES = 8
export const MAX_WAITING = 32

/** The id of the next file or pipe. */
export const nextFileId = ({ lastNumber }: SmbState): FileId =>
  fileIdOf(join(u32(4 * lastNumber + 1), zeros(4), u32(4 * lastNumber + 1), u32(0xffffffff)))

/** A state or a session of either product, as far as these look at it. */
interface HasOpens<O> {
  readonly opens: ReadonlyMap<FileId, O>
}
interface HasSessions<S> {
  readonly sessions: ReadonlyMap<bigint, S>
}
type ValueOf<M> = M extends ReadonlyMap<unknown, infer V> ? V : never

/** All files and pipes that a connection has open, in all its sessions. */
export const opensOf = <O>({ sessions }: HasSessions<HasOpens<O>>): readonly O[] =>
  [...sessions.values()].flatMap(({ opens }) => [...opens.values()])

export const withSession = <S extends HasSessions<{ readonly id: bigint }>>(
  state: S,
  session: ValueOf<S['sessions']> & { readonly id: bigint },
): S => ({ ...state, sessions: new Map(state.sessions).set(session.id, session) })

/** The state of a call with another session in place of its own. */
export const replaceSession = <S extends HasSessions<{ readonly id: bigint }>>(
  { state }: { readonly state: S },
  session: ValueOf<S['sessions']> & { readonly id: bigint },
): S => withSession(state, session)

export const withOpen = <S extends HasOpens<{ readonly id: FileId }>>(
  session: S,
  open: ValueOf<S['opens']> & { readonly id: FileId },
): S => ({ ...session, opens: new Map(session.opens).set(open.id, open) })

export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const copy = new Map(map)
  copy.delete(key)
  return copy
}
