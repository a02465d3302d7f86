// One request as its handler sees it, and what the handler makes of it.
import { fail, sizeLimits } from '../../protocol/call.ts'
import type * as shared from '../../protocol/call.ts'
import { NO_FILE, type FileId } from '../../protocol/codec/file-id.ts'
import type { Open, Windows } from './state.ts'
import { STATUS } from '../../protocol/codec/status.ts'

export type Call = shared.Call<Windows>
export type NegotiatedCall = shared.NegotiatedCall<Windows>
export type SessionCall = shared.SessionCall<Windows>
export type TreeCall = shared.TreeCall<Windows>
export type Outcome = shared.Outcome<Windows>
export type Finished = shared.Finished<Windows>

export const { maxSizeOf, isTooLong } = sizeLimits(1024 * 1024)

/** The open file of an id; that of the compound when all its bits are set. */
export function openOf(call: TreeCall, fileId: FileId): Open | undefined {
  const open = call.session.opens.get(fileId === NO_FILE ? (call.relatedFile ?? '') : fileId)
  return open?.treeId === call.tree.id ? open : undefined
}

/** A handler of requests that name an open file or pipe. */
export const onOpen =
  <Request extends { readonly fileId: FileId }>(
    read: (message: Buffer) => Request | undefined,
    act: (call: TreeCall, open: Open, request: Request) => Outcome,
  ) =>
  (call: TreeCall): Outcome => {
    const request = read(call.message)
    if (!request) return fail(call, STATUS.invalidParameter)
    const open = openOf(call, request.fileId)
    return open ? act(call, open, request) : fail(call, STATUS.fileClosed)
  }
