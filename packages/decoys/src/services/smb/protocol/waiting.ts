// Requests that are answered later ([MS-SMB2] 3.3.4.2), and CANCEL (3.3.5.16).
import type { Finished } from './call.ts'
import { FLAG, type Header } from './codec/header.ts'
import { errorBody } from './codec/messages.ts'
import { STATUS } from './codec/status.ts'
import type { Product, State, WaitingRequest } from './state.ts'

export interface WaitingEnd<P extends Product> {
  readonly state: State<P>
  readonly finished: readonly Finished<P>[]
}

/** Ends the requests that `isMeant` picks. */
export function endWaiting<P extends Product>(
  state: State<P>,
  statusOf: (request: WaitingRequest<P>) => number,
  isMeant: (request: WaitingRequest<P>, id: bigint) => boolean,
): WaitingEnd<P> {
  const ended = [...state.waiting].filter(([id, request]) => isMeant(request, id))
  if (ended.length === 0) return { state, finished: [] }
  const waiting = new Map([...state.waiting].filter(([id, request]) => !isMeant(request, id)))
  const finished = ended.map(([asyncId, request]) => ({
    asyncId,
    request,
    status: statusOf(request),
    body: errorBody(),
  }))
  return { state: { ...state, waiting }, finished }
}

/** The request is named by its asynchronous id, or by its message id. */
export const cancel = <P extends Product>(
  state: State<P>,
  { flags, asyncId, messageId }: Header,
): WaitingEnd<P> =>
  endWaiting<P>(
    state,
    () => STATUS.cancelled,
    ({ header }, id) => ((flags & FLAG.async) !== 0 ? id === asyncId : header.messageId === messageId),
  )
