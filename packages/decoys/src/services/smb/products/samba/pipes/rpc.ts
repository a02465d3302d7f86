// What an RPC interface behind a pipe of Samba is.
import type { DecoyEvent, SessionContext } from '../../../../../session/session.ts'
import type * as shared from '../../../protocol/pipes/rpc.ts'
import type { SambaMachine } from '../machine.ts'

/** What operations may know of the client and the machine. */
export interface RpcCaller {
  readonly machine: SambaMachine
  readonly context: Pick<SessionContext, 'now' | 'random'>
  readonly isAnonymous: boolean
  readonly user: string
  /** 5013: users and groups were asked for. */
  readonly enumerationEvent: (operation: string, status: number) => DecoyEvent
}

/** What the pipe's context handles, in hex, stand for. */
type Handles = ReadonlyMap<string, string>
/** The program behind the pipe ends in the middle of it. */
type Crash = 'crash'

export type RpcInterface = shared.RpcInterface<RpcCaller, Handles, Crash>
export type RpcCall = shared.RpcCall<RpcCaller, Handles>
export type Operation = shared.Operation<RpcCaller, Handles, Crash>
export type RpcAnswer = shared.RpcAnswer<Handles> | Crash
