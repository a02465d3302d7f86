// One request as its handler sees it, and what the handler makes of it.
import type { DecoyEvent, SessionContext } from '../../../session/session.ts'
import type { Content } from '../../../windows/fields.ts'
import { DIALECT } from './codec/dialect.ts'
import type { FileId } from './codec/file-id.ts'
import type { Header } from './codec/header.ts'
import { errorBody } from './codec/messages.ts'
import { STATUS } from './codec/status.ts'
import type { Config, Identity, Negotiated, Product, Session, State, Tree, WaitingRequest } from './state.ts'

export type Call<P extends Product> = P['call'] & {
  readonly config: Config<P>
  readonly machine: P['machine']
  readonly context: SessionContext
  readonly state: State<P>
  readonly header: Header
  /** Header and body. */
  readonly message: Buffer
}

export type NegotiatedCall<P extends Product> = Call<P> & {
  readonly negotiated: Negotiated
}

export type SessionCall<P extends Product> = NegotiatedCall<P> & {
  readonly session: Session<P>
  readonly identity: Identity
  /** The file that a related request before this one opened or used. */
  readonly relatedFile: FileId | undefined
}

export type TreeCall<P extends Product> = SessionCall<P> & {
  readonly tree: Tree
}

export type Outcome<P extends Product> = P['outcome'] & {
  readonly state: State<P>
  readonly status: number
  readonly body: Content
  readonly events?: readonly DecoyEvent[]
  /** Set by SESSION_SETUP and TREE_CONNECT. */
  readonly sessionId?: bigint
  readonly treeId?: number
  /** The file that related requests behind this one use. */
  readonly fileId?: FileId
  /** Answers to requests that waited. */
  readonly finished?: readonly Finished<P>[]
  /** SESSION_SETUP hashes its answer unless it is the last one. */
  readonly hashesAnswer?: boolean
  /** The connection is closed instead. */
  readonly closes?: true
}

export interface Finished<P extends Product> {
  readonly asyncId: bigint
  readonly request: WaitingRequest<P>
  readonly status: number
  readonly body: Content
}

export const fail = <S, const More extends object = object>(
  { state }: { readonly state: S },
  status: number,
  more?: More,
) => ({ state, status, body: errorBody(), ...more })

export const succeed = <S, const More extends object = object>(state: S, body: Content, more?: More) => ({
  state,
  status: STATUS.success,
  body,
  ...more,
})

export const disconnect = <S>(call: { readonly state: S }) =>
  fail(call, STATUS.invalidParameter, { closes: true })

const CREDIT_BYTES = 64 * 1024
/** In 2.0.2, which has no requests of several credits. */
const SMALL_SIZE = 64 * 1024

/** `large`: MaxTransactSize, MaxReadSize and MaxWriteSize of the dialects behind 2.0.2. */
export function sizeLimits(large: number) {
  const maxSizeOf = (dialect: number): number => (dialect === DIALECT.v202 ? SMALL_SIZE : large)
  return {
    maxSizeOf,
    /** A length beyond the negotiated size, or beyond what the request's credits pay for ([MS-SMB2] 3.3.5.2.5). */
    isTooLong(
      { negotiated: { dialect }, header }: Pick<NegotiatedCall<Product>, 'negotiated' | 'header'>,
      bytes: number,
    ): boolean {
      const isUnpaid = dialect !== DIALECT.v202 && bytes > CREDIT_BYTES * Math.max(1, header.creditCharge)
      return isUnpaid || bytes > maxSizeOf(dialect)
    },
  }
}
