// What an RPC interface behind a pipe is. Products differ in the machine that their operations look at.
import type { DecoyEvent, SessionContext } from '../../../../session/session.ts'

export interface RpcInterface<Machine> {
  /** As on the wire, in hex. */
  readonly uuid: string
  readonly version: number
  readonly operations: Readonly<Record<number, Operation<Machine>>>
}

/** What operations may know of the client and the machine. */
export interface RpcCaller<Machine> {
  readonly machine: Machine
  readonly context: Pick<SessionContext, 'now' | 'random'>
  readonly isAnonymous: boolean
  readonly user: string
  /** 5013: users and groups were asked for. */
  readonly enumerationEvent: (operation: string, status: number) => DecoyEvent
}

export interface RpcCall<Machine> {
  readonly call: RpcCaller<Machine>
  readonly opnum: number
  readonly stub: Buffer
  /** Context handles that the pipe has given out, in hex, and what they stand for. */
  readonly handles: Handles
}

export type Handles = ReadonlyMap<string, string>

export type Operation<Machine> = (rpc: RpcCall<Machine>) => RpcAnswer

/** `crash`: the program behind the pipe ends in the middle of it. */
export type RpcAnswer =
  | { readonly stub: Buffer; readonly handles?: Handles; readonly events?: readonly DecoyEvent[] }
  | { readonly fault: number }
  | 'crash'

/** Status codes of faults ([MS-RPCE] 2.2.2.8, C706 appendix E). */
export const FAULT = {
  operationRange: 0x1c010002,
  contextMismatch: 0x1c00001a,
  badStub: 0x000006f7,
  unknownInterface: 0x1c010003,
} as const

/** Win32 errors ([MS-ERREF] 2.2) and those of the server service ([MS-SRVS] 2.2.2). */
export const WIN32 = {
  success: 0,
  accessDenied: 5,
  invalidName: 123,
  invalidLevel: 124,
  netNameNotFound: 2_310,
} as const

const uuidParts = /^(.{2})(.{2})(.{2})(.{2})-(.{2})(.{2})-(.{2})(.{2})-(.{4})-(.{12})$/

/** A UUID as it is on the wire: its first three parts little-endian. */
export const uuid = (text: string): string => text.replace(uuidParts, '$4$3$2$1$6$5$8$7$9$10')
