// TREE_CONNECT and TREE_DISCONNECT.
import { emptyBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { SHARE_FLAG, SHARE_TYPE, writeTreeConnect } from '../../../protocol/codec/tree-connect.ts'
import { treeEvent } from '../../../protocol/events.ts'
import { MAX_TREES, replaceSession, without, type Tree } from '../../../protocol/state.ts'
import { closeFiles, type Outcome, type SessionCall, type TreeCall } from '../call.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { bodyOf, dynamicPart, textFrom } from '../codec.ts'
import { drawnId } from '../ids.ts'
import type { SambaMachine } from '../machine.ts'
import { endWaiting, statusAtEnd } from '../waiting.ts'

/** What `read only = yes` leaves of all rights. */
const MAXIMAL_ACCESS = 0x001f00a9
/** Accounts that every Debian has: [homes] makes shares of them, which only they may use. */
const SYSTEM_USERS = new Set(
  'root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc _apt nobody systemd-network messagebus sshd'.split(
    ' ',
  ),
)
const CLOSED = new Set(['print$', 'printers'])

export function treeConnect(call: SessionCall): Outcome {
  const { session } = call
  const body = bodyOf(call.message, 9)
  if (!body) return fail(call, STATUS.invalidParameter)
  body.fields.skip(2)
  const path = dynamicPart(body, body.fields.u16(), body.fields.u16())
  if (!path) return fail(call, STATUS.invalidParameter)
  const text = textFrom(path)
  if (text === undefined) return fail(call, STATUS.illegalCharacter)
  const name = shareName(text)
  const status = session.trees.size >= MAX_TREES ? STATUS.insufficientResources : access(call, name)
  const events = [treeEvent(call, name, status)]
  if (status !== STATUS.success) return fail(call, status, { events })
  const isPipes = name.toLowerCase() === 'ipc$'
  const id = drawnId(call.context).readUInt32LE()
  const tree: Tree = {
    id,
    kind: isPipes ? 'pipes' : 'disk',
    name: isPipes ? 'IPC$' : call.machine.share.name,
  }
  const trees = new Map(session.trees).set(id, tree)
  const answer = writeTreeConnect(
    isPipes ? SHARE_TYPE.pipe : SHARE_TYPE.disk,
    SHARE_FLAG.manualCaching,
    MAXIMAL_ACCESS,
  )
  return succeed(replaceSession(call, { ...session, trees }), answer, { treeId: id, events })
}

/** Two backslashes are passed over, then the server's name up to the next one. */
function shareName(path: string): string {
  const text = path.replace(/\0.*$/s, '')
  if (!text.startsWith('\\\\')) return text
  const at = text.indexOf('\\', 2)
  return at < 0 ? text.slice(2) : text.slice(at + 1)
}

function access({ identity, machine }: SessionCall, name: string): number {
  const wanted = name.toLowerCase()
  if (wanted === 'ipc$') return STATUS.success
  if (CLOSED.has(wanted) || isHome(machine, wanted)) return STATUS.accessDenied
  if (wanted !== machine.share.name.toLowerCase()) return STATUS.badNetworkName
  return identity.isAnonymous && !machine.isGuestEnabled ? STATUS.accessDenied : STATUS.success
}

const isHome = ({ users }: SambaMachine, name: string): boolean =>
  SYSTEM_USERS.has(name) || users.includes(name)

export function treeDisconnect(call: TreeCall): Outcome {
  const { session, tree } = call
  if (!bodyOf(call.message, 4)) return fail(call, STATUS.invalidParameter)
  const opens = new Map([...session.opens].filter(([, { treeId }]) => treeId !== tree.id))
  closeFiles(call, session, ({ treeId }) => treeId === tree.id)
  const trees = without(session.trees, tree.id)
  const { state, finished } = endWaiting(
    replaceSession(call, { ...session, trees, opens }),
    statusAtEnd,
    (request) => request.sessionId === session.id && request.treeId === tree.id,
  )
  return succeed(state, emptyBody(), { finishedBefore: finished })
}
