// TREE_CONNECT and TREE_DISCONNECT ([MS-SMB2] 3.3.5.7 and 3.3.5.8).
import { fail, succeed } from '../../../protocol/call.ts'
import type { Outcome, SessionCall, TreeCall } from '../call.ts'
import { MAX_TREES, replaceSession, without, type Tree } from '../../../protocol/state.ts'
import { emptyBody } from '../../../protocol/codec/messages.ts'
import { STATUS, type Status } from '../../../protocol/codec/status.ts'
import {
  readTreeConnect,
  SHARE_FLAG,
  SHARE_TYPE,
  writeTreeConnect,
} from '../../../protocol/codec/tree-connect.ts'
import { treeEvent } from '../../../protocol/events.ts'

/** Read and execute: what guests have on the share. */
export const READ_ACCESS = 0x001200a9
const PIPE_ACCESS = 0x001f00a9
/** Shares of every Windows that only administrators may use. */
const ADMINISTRATIVE = new Set(['ADMIN$', 'C$'])

export function treeConnect(call: SessionCall): Outcome {
  const { session, state, message } = call
  const path = readTreeConnect(message)
  const name = /^\\\\[^\\]+\\([^\\]+)$/.exec(path ?? '')?.[1]
  if (path === undefined) return fail(call, STATUS.invalidParameter)
  const status = session.trees.size >= MAX_TREES ? STATUS.insufficientResources : access(call, name)
  const events = [treeEvent(call, name ?? path, status)]
  if (status !== STATUS.success || name === undefined) return fail(call, status, { events })
  const id = 4 * state.lastNumber + 1
  const tree: Tree = isPipes(name)
    ? { id, kind: 'pipes', name: 'IPC$' }
    : { id, kind: 'disk', name: call.machine.share.name }
  const trees = new Map(session.trees).set(id, tree)
  const next = { ...replaceSession(call, { ...session, trees }), lastNumber: state.lastNumber + 1 }
  const body =
    tree.kind === 'pipes'
      ? writeTreeConnect(SHARE_TYPE.pipe, SHARE_FLAG.noCaching, PIPE_ACCESS)
      : writeTreeConnect(SHARE_TYPE.disk, SHARE_FLAG.manualCaching, READ_ACCESS)
  return succeed(next, body, { treeId: id, events })
}

const isPipes = (name: string): boolean => name.toUpperCase() === 'IPC$'

function access({ identity, machine }: SessionCall, name: string | undefined): Status {
  if (name === undefined) return STATUS.badNetworkName
  if (isPipes(name)) return STATUS.success
  if (ADMINISTRATIVE.has(name.toUpperCase())) return STATUS.accessDenied
  if (name.toUpperCase() !== machine.share.name.toUpperCase()) return STATUS.badNetworkName
  // "Everyone" of a share does not hold those without a name.
  return identity.isAnonymous ? STATUS.accessDenied : STATUS.success
}

export function treeDisconnect(call: TreeCall): Outcome {
  const { session, tree } = call
  const opens = new Map([...session.opens].filter(([, { treeId }]) => treeId !== tree.id))
  const waiting = new Map([...call.state.waiting].filter(([, each]) => each.treeId !== tree.id))
  const trees = without(session.trees, tree.id)
  return succeed({ ...replaceSession(call, { ...session, trees, opens }), waiting }, emptyBody())
}
