// One request as its handler sees it, and what the handler makes of it.
import type * as shared from '../../protocol/call.ts'
import { NO_FILE, type FileId } from '../../protocol/codec/file-id.ts'
import type { Open, Windows } from './state.ts'
import { sizeLimits } from '../../protocol/call.ts'

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
