// Opening a named pipe of IPC$ ([MS-SMB2] 3.3.5.9, [MS-RPCE] 2.1.1.2).
import { fail, succeed } from '../../../protocol/call.ts'
import type { Outcome, TreeCall } from '../call.ts'
import { opensOf, replaceSession, withOpen } from '../../../protocol/state.ts'
import { MAX_PIPES, nextFileId, type Open } from '../state.ts'
import { writeCreate, type CreateRequest } from '../../../protocol/codec/create.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { pipeEvent } from '../../../protocol/events.ts'
import { interfacesOf } from '../pipes/interfaces.ts'
import { RULES } from '../pipes/rules.ts'
import { newPipe } from '../../../protocol/pipes/pipe.ts'
import { ATTRIBUTE, pipeDirectory } from '../../../protocol/tree/tree.ts'
import { READ_ACCESS } from './tree-connect.ts'

/** Pipes that every Windows has, and that guests may not open. */
const CLOSED_TO_GUESTS = new Set([
  'winreg',
  'svcctl',
  'eventlog',
  'atsvc',
  'ntsvcs',
  'spoolss',
  'netlogon',
  'initshutdown',
  'efsrpc',
  'epmapper',
  'trkwks',
  'w32time',
])
const PIPE_ACCESS = 0x0012019f
const PIPE_BYTES = 4_096
const NO_TIMES = { createdAt: 0n, accessedAt: 0n, writtenAt: 0n, changedAt: 0n }

/** As npfs lists them. */
const LISTED = [
  'InitShutdown',
  'lsass',
  'ntsvcs',
  'scerpc',
  'epmapper',
  'LSM_API_service',
  'eventlog',
  'atsvc',
  'wkssvc',
  'trkwks',
  'spoolss',
  'srvsvc',
  'W32TIME_ALT',
]

export function openPipe(call: TreeCall, { name }: CreateRequest): Outcome {
  const { identity, machine } = call
  if (name.startsWith('\\')) return fail(call, STATUS.invalidParameter)
  const pipeName = name.toLowerCase()
  const isNobody = identity.isAnonymous
  if (pipeName === '') return isNobody ? fail(call, STATUS.accessDenied) : openDirectory(call)
  const interfaces = interfacesOf(pipeName)
  const isDenied = isNobody && !machine.isGuestEnabled
  if (CLOSED_TO_GUESTS.has(pipeName) || (interfaces && isDenied)) {
    const events = pipeName === 'winreg' ? [pipeEvent(call, '5015', 'open', STATUS.accessDenied)] : []
    return fail(call, STATUS.accessDenied, { events })
  }
  if (!interfaces) return fail(call, STATUS.objectNameNotFound)
  const pipes = opensOf(call.state).filter(({ kind }) => kind === 'pipe')
  if (pipes.length >= MAX_PIPES) return fail(call, STATUS.pipeNotAvailable)
  const about = { id: nextFileId(call.state), treeId: call.tree.id, access: PIPE_ACCESS }
  return opened(
    call,
    { ...about, kind: 'pipe', name: pipeName, pipe: newPipe(RULES, `\\PIPE\\${pipeName}`, interfaces) },
    ATTRIBUTE.normal,
  )
}

function openDirectory(call: TreeCall): Outcome {
  const node = pipeDirectory(LISTED, call.machine.installedAt)
  const about = { id: nextFileId(call.state), treeId: call.tree.id, access: READ_ACCESS }
  const open: Open = { ...about, kind: 'file', node, wasRead: false, locks: 0, search: undefined }
  return opened(call, open, ATTRIBUTE.directory)
}

function opened(call: TreeCall, open: Open, attributes: number): Outcome {
  const { state, session } = call
  const next = { ...replaceSession(call, withOpen(session, open)), lastNumber: state.lastNumber + 1 }
  const body = writeCreate({
    oplockLevel: 0,
    file: { times: NO_TIMES, allocationSize: open.kind === 'pipe' ? PIPE_BYTES : 0, size: 0, attributes },
    fileId: open.id,
    contexts: [],
  })
  return succeed(next, body, { fileId: open.id })
}
