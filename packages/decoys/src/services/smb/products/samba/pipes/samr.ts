// The account database ([MS-SAMR]) of Samba, which everyone may ask for the names of its users.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../codec/status.ts'
import { writeSid } from '../../../pipes/lsa-types.ts'
import { FAULT, uuid } from '../../../pipes/rpc.ts'
import type { SambaMachine } from '../machine.ts'
import { closeHandle, HANDLE_BYTES, newHandle, onHandle } from './handles.ts'
import { answerTo, requestReader, type Request } from './ndr-answer.ts'
import type { Operation, RpcAnswer, RpcCall, RpcInterface } from './rpc.ts'

const connect =
  (name: string, isNewest = false): Operation =>
  (rpc) => {
    const to = answerTo(requestReader(Buffer.alloc(0)))
    if (isNewest) for (const number of [1, 1, 3, 0]) to.u32(number)
    const made = newHandle(rpc, 'server')
    const status = made ? STATUS.success : STATUS.insufficientResources
    to.bytes(made?.handle ?? zeros(HANDLE_BYTES), 4)
    to.u32(status)
    return {
      stub: to.done(),
      events: [rpc.call.enumerationEvent(name, status)],
      ...(made && { handles: made.handles }),
    }
  }

interface Numbered {
  readonly name: string
  readonly number: number
}

/** A list of names with numbers, as of domains and of users. */
function namesAnswer(from: Request, entries: readonly Numbered[]): Buffer {
  const to = answerTo(from)
  to.u32(0)
  to.pointer()
  to.u32(entries.length)
  to.pointer(entries.length > 0)
  if (entries.length > 0) to.u32(entries.length)
  for (const { name, number } of entries) {
    to.u32(number)
    to.unicodeString(name)
  }
  for (const { name } of entries) to.unicodeBuffer(name)
  to.u32(entries.length)
  to.u32(STATUS.success)
  return to.done()
}

const BUILTIN = 'Builtin'

/** SamrEnumerateDomainsInSamServer. */
const enumDomains = onHandle(
  (meaning) => meaning === 'server',
  ({ call }, from) => ({
    stub: namesAnswer(from, [
      { name: call.machine.netbiosName, number: 0 },
      { name: BUILTIN, number: 1 },
    ]),
  }),
)

const BUILTIN_SID = [32]
/** Of a SID without parts, with its count. */
const EMPTY_SID_BYTES = 12

const sidOf = ({ netbiosName, sid }: SambaMachine, name: string): readonly number[] | undefined => {
  if (name.toLowerCase() === netbiosName.toLowerCase()) return sid
  return name.toLowerCase() === BUILTIN.toLowerCase() ? BUILTIN_SID : undefined
}

/** SamrLookupDomainInSamServer. */
const lookupDomain = onHandle(
  (meaning) => meaning === 'server',
  ({ call }, from) => {
    const name = from.unicodeString() ? from.unicodeBuffer() : ''
    if (!from.isIntact) return { fault: FAULT.badStub }
    const sid = sidOf(call.machine, name)
    const to = answerTo(from)
    to.pointer()
    if (sid) writeSid(to, sid)
    else to.bytes(zeros(EMPTY_SID_BYTES), 4)
    to.u32(sid ? STATUS.success : STATUS.noSuchDomain)
    return { stub: to.done() }
  },
)

const LEAST_SID_BYTES = 12

/** SamrOpenDomain, by its SID. */
const openDomain = onHandle(
  (meaning) => meaning === 'server',
  (rpc, from) => {
    from.u32()
    const count = from.count()
    const bytes = from.bytes(8 + 4 * count)
    if (!from.isIntact || bytes.length < LEAST_SID_BYTES) return { fault: FAULT.badStub }
    const parts = Array.from({ length: count }, (_, i) => bytes.readUInt32LE(8 + 4 * i))
    const { sid } = rpc.call.machine
    const meaning =
      parts.join() === sid.join() ? 'domain' : parts.join() === BUILTIN_SID.join() ? 'builtin' : undefined
    return opened(rpc, from, meaning)
  },
)

function opened(rpc: RpcCall, from: Request, meaning: string | undefined): RpcAnswer {
  const made = meaning === undefined ? undefined : newHandle(rpc, meaning)
  const to = answerTo(from)
  to.bytes(made?.handle ?? zeros(HANDLE_BYTES), 4)
  to.u32(made ? STATUS.success : meaning === undefined ? STATUS.noSuchDomain : STATUS.insufficientResources)
  return { stub: to.done(), ...(made && { handles: made.handles }) }
}

/** Of the first account that was made. */
const FIRST_RID = 1_000

/** SamrEnumerateUsersInDomain: by name, as the database's file gives them. */
const enumUsers = onHandle(
  (meaning) => meaning === 'domain' || meaning === 'builtin',
  ({ call }, from, meaning) => {
    const users =
      meaning === 'builtin'
        ? []
        : call.machine.users.map((name, i): Numbered => ({ name, number: FIRST_RID + i }))
    return {
      stub: namesAnswer(from, users),
      events: [call.enumerationEvent('SamrEnumerateUsersInDomain', STATUS.success)],
    }
  },
)

export const samr: RpcInterface = {
  uuid: uuid('12345778-1234-abcd-ef00-0123456789ac'),
  version: 1,
  operations: {
    0: connect('SamrConnect'),
    1: closeHandle,
    5: lookupDomain,
    6: enumDomains,
    7: openDomain,
    13: enumUsers,
    57: connect('SamrConnect2'),
    62: connect('SamrConnect4'),
    64: connect('SamrConnect5', true),
  },
}
