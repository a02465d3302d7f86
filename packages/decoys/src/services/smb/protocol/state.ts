// The configuration of an SMB server, and the state of one connection. A product adds to them what it alone needs.
import type { SessionContext } from '../../../session/session.ts'
import type { Dialect } from './codec/dialect.ts'
import type { FileId } from './codec/file-id.ts'
import type { Header } from './codec/header.ts'
import type { CreditWindow } from './credits.ts'
import type { ShareMachine } from './machine.ts'
import type { Pipe } from './pipes/pipe.ts'
import type { SigningAlgorithm } from './signing/sign.ts'
import type { FileContent } from './tree/content/content.ts'
import type { FileNode, TreeNode } from './tree/tree.ts'

/** What a product adds: `object` where that is nothing. */
export interface Product {
  readonly machine: ShareMachine
  readonly config: object
  readonly state: object
  /** What the messages of one login have said so far. */
  readonly exchange: object
  readonly file: object
  readonly request: object
  readonly call: object
  readonly outcome: object
}

/** The same for every connection of a listener. */
export type Config<P extends Product> = P['config'] & {
  readonly machine: (derive: SessionContext['derive']) => P['machine']
  readonly contentOf: (file: FileNode, derive: SessionContext['derive']) => FileContent
}

export interface Negotiated {
  readonly dialect: Dialect
  readonly signing: SigningAlgorithm
  readonly capabilities: number
  readonly securityMode: number
  /** What the client said of itself, which FSCTL_VALIDATE_NEGOTIATE_INFO repeats. */
  readonly client: {
    readonly capabilities: number
    readonly guid: Buffer
    readonly securityMode: number
    readonly dialects: readonly number[]
  }
}

export type State<P extends Product> = P['state'] & {
  readonly negotiated: Negotiated | undefined
  /** Of the connection, for 3.1.1. */
  readonly preauthHash: Buffer
  readonly window: CreditWindow
  readonly sessions: ReadonlyMap<bigint, Session<P>>
  /** Requests that are answered later, by asynchronous id. */
  readonly waiting: ReadonlyMap<bigint, WaitingRequest<P>>
  /** Bytes of a long message that are still to come. */
  readonly discard: number
}

export interface Session<P extends Product> {
  readonly id: bigint
  readonly login: {
    /** Undefined before a login is done. */
    readonly identity: Identity | undefined
    /** The login that is going on: first or anew. */
    readonly exchange: P['exchange'] | undefined
  }
  /** Of the messages that set the session up, for 3.1.1. */
  readonly preauthHash: Buffer
  /** Undefined when only the client knows it. */
  readonly signingKey: Buffer | undefined
  readonly trees: ReadonlyMap<number, Tree>
  readonly opens: ReadonlyMap<FileId, Open<P>>
}

export interface Identity {
  readonly isAnonymous: boolean
  readonly user: string
  readonly domain: string
  readonly workstation: string
  /** The client's system, as far as NTLM shows it. */
  readonly system: string
}

export interface Tree {
  readonly id: number
  readonly kind: 'disk' | 'pipes'
  readonly name: string
}

export type Open<P extends Product> = OpenFile<P> | OpenPipe<P>

interface OpenFacts {
  readonly id: FileId
  readonly treeId: number
  readonly access: number
}

export type OpenFile<P extends Product> = OpenFacts &
  P['file'] & {
    readonly kind: 'file'
    readonly node: TreeNode
    /** Reading raises an event once for each open. */
    readonly wasRead: boolean
    /** Of a directory. */
    readonly search: Search | undefined
  }

export interface Search {
  readonly pattern: string
  /** How many names were returned or passed over. */
  readonly position: number
  readonly hasFound: boolean
}

export interface OpenPipe<P extends Product> extends OpenFacts {
  readonly kind: 'pipe'
  readonly name: string
  readonly pipe: Pipe<P['machine']>
}

export type WaitingRequest<P extends Product> = P['request'] & {
  readonly sessionId: bigint
  readonly treeId: number
  readonly header: Header
  readonly fileId: FileId
}

/** What a related request takes over from the one before it. */
export interface Chain {
  readonly sessionId: bigint
  readonly treeId: number
  readonly fileId: FileId | undefined
  /** Its CREATE failed: the requests that need the file fail alike. */
  readonly failure: number | undefined
}

/** Limits of one connection. */
export const MAX_SESSIONS = 16
export const MAX_TREES = 32
export const MAX_OPENS = 64
export const MAX_WAITING = 32

/** A state or a session, as far as these look at it. */
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
