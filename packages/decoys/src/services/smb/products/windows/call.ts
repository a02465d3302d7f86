// One request as its handler sees it, and what the handler makes of it.
import type { DecoyEvent, SessionContext } from '../../../../session/session.ts'
import type { Header } from '../../protocol/codec/header.ts'
import { DIALECT } from '../../protocol/codec/dialect.ts'
import type { Content } from '../../../../windows/fields.ts'
import { errorBody } from '../../protocol/codec/messages.ts'
import { STATUS, type Status } from '../../protocol/codec/status.ts'
import type { Machine } from '../../protocol/machine.ts'
import type {
  Negotiated,
  Open,
  SmbConfig,
  SmbSession,
  SmbState,
  Tree,
  WaitingRequest,
} from '../../protocol/state.ts'
import { NO_FILE, type FileId } from '../../protocol/codec/file-id.ts'

export interface Call {
  readonly config: SmbConfig
  readonly machine: Machine
  readonly context: SessionContext
  readonly state: SmbState
  readonly header: Header
  /** Header and body. */
  readonly message: Buffer
}

export interface NegotiatedCall extends Call {
  readonly negotiated: Negotiated
}

export interface SessionCall extends NegotiatedCall {
  readonly session: SmbSession & { readonly login: { readonly name: 'open' } }
  /** The file that a related request before this one opened or used. */
  readonly relatedFile: FileId | undefined
}

export interface TreeCall extends SessionCall {
  readonly tree: Tree
}

export interface Outcome {
  readonly state: SmbState
  readonly status: Status
  /** Without it the answer is an error's body. */
  readonly body?: Content
  readonly events?: readonly DecoyEvent[]
  /** Set by SESSION_SETUP and TREE_CONNECT. */
  readonly sessionId?: bigint
  readonly treeId?: number
  /** The file that related requests behind this one use. */
  readonly fileId?: FileId
  /** The answer says that another one follows. */
  readonly asyncId?: bigint
  /** Answers to requests that waited. */
  readonly finished?: readonly Finished[]
  /** SESSION_SETUP hashes its answer unless it is the last one. */
  readonly hashesAnswer?: boolean
  /** The connection is closed instead. */
  readonly closes?: true
}

export interface Finished {
  readonly asyncId: bigint
  readonly request: WaitingRequest
  readonly status: Status
  readonly body: Buffer
}

type OutcomeMore = Omit<Outcome, 'state' | 'status' | 'body'>

export const fail = (
  call: Pick<Call, 'state'>,
  status: Status,
  more: OutcomeMore & Pick<Outcome, 'body'> = {},
): Outcome => ({
  state: call.state,
  status,
  body: errorBody(),
  ...more,
})

export const succeed = (state: SmbState, body: Content, more: OutcomeMore = {}): Outcome => ({
  state,
  status: STATUS.success,
  body,
  ...more,
})

export const disconnect = (call: Pick<Call, 'state'>): Outcome => ({
  state: call.state,
  status: STATUS.invalidParameter,
  closes: true,
})

const CREDIT_BYTES = 64 * 1024

/** Whether a request and its answer are longer than its credits pay for ([MS-SMB2] 3.3.5.2.5); in 2.0.2 all are short. */
export const isBeyondCharge = ({ negotiated, header }: NegotiatedCall, bytes: number): boolean =>
  negotiated.dialect !== DIALECT.v202 && bytes > CREDIT_BYTES * Math.max(1, header.creditCharge)

/** The open file of an id; that of the compound when all its bits are set. */
export function openOf(call: TreeCall, fileId: FileId): Open | undefined {
  const open = call.session.opens.get(fileId === NO_FILE ? (call.relatedFile ?? '') : fileId)
  return open?.treeId === call.tree.id ? open : undefined
}
