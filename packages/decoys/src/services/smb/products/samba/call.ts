// One request as its handler sees it, and what the handler makes of it.
import type * as shared from '../../protocol/call.ts'
import { sizeLimits } from '../../protocol/call.ts'
import type { FileId } from '../../protocol/codec/file-id.ts'
import { removeOpen } from './locking/locking.ts'
import type { Open, Samba, Session } from './state.ts'

export type Call = shared.Call<Samba>
export type NegotiatedCall = shared.NegotiatedCall<Samba>
export type SessionCall = shared.SessionCall<Samba>
export type TreeCall = shared.TreeCall<Samba>
export type Outcome = shared.Outcome<Samba>
export type Finished = shared.Finished<Samba>

export const { maxSizeOf, isTooLong } = sizeLimits(8 * 1024 * 1024)

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
