// One request as its handler sees it, and what the handler makes of it.
import type { DecoyEvent, SessionContext } from '../../../../session/session.ts'
import type { Content } from '../../../../windows/fields.ts'
import { DIALECT } from '../../protocol/codec/dialect.ts'
import type { Header } from '../../protocol/codec/header.ts'
import { errorBody } from '../../protocol/codec/messages.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { removeOpen } from './locking/locking.ts'
import type { SambaMachine } from './machine.ts'
import type {
  Identity,
  Negotiated,
  Open,
  SambaConfig,
  SambaState,
  Session,
  Tree,
  PendingRequest,
} from './state.ts'
import { type FileId } from '../../protocol/codec/file-id.ts'

export interface Call {
  readonly config: SambaConfig
  readonly machine: SambaMachine
  readonly context: SessionContext
  readonly state: SambaState
  readonly header: Header
  /** Header and body. */
  readonly message: Buffer
  /** It was answered with word that its answer follows, and its events were raised then. */
  readonly isAgain?: true
}

export interface NegotiatedCall extends Call {
  readonly negotiated: Negotiated
}

export interface SessionCall extends NegotiatedCall {
  readonly session: Session
  readonly identity: Identity
  /** The file that the requests before this one opened. */
  readonly relatedFile: FileId | undefined
}

export interface TreeCall extends SessionCall {
  readonly tree: Tree
}

export interface Outcome {
  readonly state: SambaState
  readonly status: number
  readonly body: Content
  readonly events?: readonly DecoyEvent[]
  /** Set by SESSION_SETUP and TREE_CONNECT. */
  readonly sessionId?: bigint
  readonly treeId?: number
  /** The file that related requests behind this one use. */
  readonly fileId?: FileId
  /** The answer comes later. */
  readonly waits?: PendingRequest['for']
  /** Answers to requests that waited, ahead of this one's or behind it. */
  readonly finishedBefore?: readonly Finished[]
  readonly finished?: readonly Finished[]
  /** SESSION_SETUP hashes its answer unless it is the last one. */
  readonly hashesAnswer?: boolean
  /** A CREATE that could not be read: related requests behind it lack a file, and know no reason. */
  readonly isUnread?: true
  /** The connection is closed instead. */
  readonly closes?: true
}

export interface Finished {
  readonly asyncId: bigint
  readonly request: PendingRequest
  readonly status: number
  readonly body: Content
}

type More = Omit<Outcome, 'state' | 'status' | 'body'>

export const fail = (
  call: Pick<Call, 'state'>,
  status: number,
  more: More & Partial<Pick<Outcome, 'body'>> = {},
): Outcome => ({
  state: call.state,
  status,
  body: errorBody(),
  ...more,
})

export const succeed = (state: SambaState, body: Content, more: More = {}): Outcome => ({
  state,
  status: STATUS.success,
  body,
  ...more,
})

export const disconnect = (call: Pick<Call, 'state'>): Outcome => ({
  ...fail(call, STATUS.invalidParameter),
  closes: true,
})

export const SMALL_SIZE = 64 * 1024
export const LARGE_SIZE = 8 * 1024 * 1024
const CREDIT_BYTES = 64 * 1024

export const maxSizeOf = (dialect: number): number => (dialect === DIALECT.v202 ? SMALL_SIZE : LARGE_SIZE)

/** A length beyond the negotiated size, or beyond what the request's credits pay for. */
export const isTooLong = ({ negotiated: { dialect }, header }: NegotiatedCall, bytes: number): boolean =>
  bytes > maxSizeOf(dialect) ||
  (dialect !== DIALECT.v202 && bytes > CREDIT_BYTES * Math.max(1, header.creditCharge))

/** The open file of an id; among related requests that of the compound, whatever the id. */
export function openOf(call: TreeCall, fileId: FileId): Open | undefined {
  const open = call.session.opens.get(call.relatedFile ?? fileId)
  return open?.treeId === call.tree.id ? open : undefined
}

/** The files of a session that end with it, or with one of its trees. */
export function closeFiles(
  { config }: Call,
  session: Session,
  isMeant: (open: Open) => boolean = () => true,
): void {
  for (const open of session.opens.values())
    if (open.kind === 'file' && isMeant(open)) removeOpen(config.locking, open.shared)
}
