// What an RPC interface behind a pipe is.
import type { DecoyEvent, SessionContext } from '../../../../session/session.ts'
import type { Status } from '../codec/status.ts'
import type { Machine } from '../machine.ts'

export interface RpcInterface<Caller = RpcCaller, Handles = ReadonlySet<string>, More = never> {
  /** As on the wire, in hex. */
  readonly uuid: string
  readonly version: number
  readonly operations: Readonly<Record<number, Operation<Caller, Handles, More>>>
}

/** What operations may know of the client and the machine. */
export interface RpcCaller {
  readonly machine: Machine
  readonly context: Pick<SessionContext, 'now' | 'random'>
  readonly isAnonymous: boolean
  /** 5013: users and groups were asked for. */
  readonly enumerationEvent: (operation: string, status: Status) => DecoyEvent
}

export interface RpcCall<Caller = RpcCaller, Handles = ReadonlySet<string>> {
  readonly call: Caller
  readonly opnum: number
  readonly stub: Buffer
  /** Context handles that the pipe has given out, in hex; a map tells what they stand for. */
  readonly handles: Handles
}

export type Operation<Caller = RpcCaller, Handles = ReadonlySet<string>, More = never> = (
  rpc: RpcCall<Caller, Handles>,
) => RpcAnswer<Handles> | More

export type RpcAnswer<Handles = ReadonlySet<string>> =
  | { readonly stub: Buffer; readonly handles?: Handles; readonly events?: readonly DecoyEvent[] }
  | { readonly fault: number }

/** Status codes of faults ([MS-RPCE] 2.2.2.8, C706 appendix E). */
export const FAULT = {
  operationRange: 0x1c010002,
  contextMismatch: 0x1c00001a,
  badStub: 0x000006f7,
  unknownInterface: 0x1c010003,
} as const

/** Win32 errors ([MS-ERREF] 2.2) and those of the server service ([MS-SRVS] 2.2.2). */
export const WIN32 = { success: 0, accessDenied: 5, invalidLevel: 124, netNameNotFound: 2_310 } as const

const uuidParts = /^(.{2})(.{2})(.{2})(.{2})-(.{2})(.{2})-(.{2})(.{2})-(.{4})-(.{12})$/

/** A UUID as it is on the wire: its first three parts little-endian. */
export const uuid = (text: string): string => text.replace(uuidParts, '$4$3$2$1$6$5$8$7$9$10')
