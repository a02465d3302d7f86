// What an RPC interface behind a pipe of Samba is.
import type { DecoyEvent, SessionContext } from '../../../../../session/session.ts'
import type { SambaMachine } from '../machine.ts'

export interface RpcInterface {
  /** As on the wire, in hex. */
  readonly uuid: string
  readonly version: number
  readonly operations: Readonly<Record<number, Operation>>
}

/** What operations may know of the client and the machine. */
export interface RpcCaller {
  readonly machine: SambaMachine
  readonly context: Pick<SessionContext, 'now' | 'random'>
  readonly isAnonymous: boolean
  readonly user: string
  /** 5013: users and groups were asked for. */
  readonly enumerationEvent: (operation: string, status: number) => DecoyEvent
}

export interface RpcCall {
  readonly call: RpcCaller
  readonly opnum: number
  readonly stub: Buffer
  /** What the pipe's context handles, in hex, stand for. */
  readonly handles: ReadonlyMap<string, string>
}

export type Operation = (rpc: RpcCall) => RpcAnswer

export type RpcAnswer =
  | {
      readonly stub: Buffer
      readonly handles?: ReadonlyMap<string, string>
      readonly events?: readonly DecoyEvent[]
    }
  | { readonly fault: number }
  /** The program behind the pipe ends in the middle of it. */
  | 'crash'
