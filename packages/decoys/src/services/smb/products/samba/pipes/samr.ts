// The account database ([MS-SAMR]) of Samba, which everyone may ask for the names of its users.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { writeSid } from '../../../protocol/pipes/lsa-types.ts'
import { HANDLE_BYTES } from '../../../protocol/pipes/handles.ts'
import { answerTo, ndrReader, type NdrReader } from '../../../protocol/pipes/ndr.ts'
import { FAULT, uuid } from '../../../protocol/pipes/rpc.ts'
import { closeHandle, newHandle, type Operation, type RpcInterface } from './rpc.ts'
import type { SambaMachine } from '../machine.ts'
import { sambaUsers } from '../accounts.ts'
import { onKind, openedAs } from './samr-handles.ts'
import {
  aliasMembership,
  enumNothing,
  groupMembers,
  groupsOfUser,
  lookupNames,
  lookupRids,
  openAlias,
  openGroup,
  openUser,
  queryGroup,
} from './samr-members.ts'
import {
  domainPasswordRules,
  queryDisplay,
  queryDomain,
  queryUser,
  userPasswordRules,
} from './samr-queries.ts'

const connect =
  (name: string, isNewest = false): Operation =>
  (rpc) => {
    const to = answerTo(ndrReader(Buffer.alloc(0)))
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
function namesAnswer(from: NdrReader, entries: readonly Numbered[]): Buffer {
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
const enumDomains = onKind('server', 3, ({ call }, from) => ({
  stub: namesAnswer(from, [
    { name: call.machine.netbiosName, number: 0 },
    { name: BUILTIN, number: 1 },
  ]),
}))

const BUILTIN_SID = [32]
/** Of a SID without parts, with its count. */
const EMPTY_SID_BYTES = 12

const sidOf = ({ netbiosName, sid }: SambaMachine, name: string): readonly number[] | undefined => {
  if (name.toLowerCase() === netbiosName.toLowerCase()) return sid
  return name.toLowerCase() === BUILTIN.toLowerCase() ? BUILTIN_SID : undefined
}

/** SamrLookupDomainInSamServer. */
const lookupDomain = onKind('server', 1, ({ call }, from) => {
  const name = from.unicodeString() ? from.unicodeBuffer() : ''
  if (!from.isIntact) return { fault: FAULT.badStub }
  const sid = sidOf(call.machine, name)
  const to = answerTo(from)
  to.pointer()
  if (sid) writeSid(to, sid)
  else to.bytes(zeros(EMPTY_SID_BYTES), 4)
  to.u32(sid ? STATUS.success : STATUS.noSuchDomain)
  return { stub: to.done() }
})

const MIN_SID_BYTES = 12

/** SamrOpenDomain, by its SID. */
const openDomain = onKind('server', 5, (rpc, from) => {
  from.u32()
  const count = from.count()
  const bytes = from.bytes(8 + 4 * count)
  if (!from.isIntact || bytes.length < MIN_SID_BYTES) return { fault: FAULT.badStub }
  const parts = Array.from({ length: count }, (_, i) => bytes.readUInt32LE(8 + 4 * i)).join()
  const isBuiltin = parts === BUILTIN_SID.join()
  const isKnown = isBuiltin || parts === rpc.call.machine.sid.join()
  const place = { isBuiltin, rid: 0 }
  return openedAs(rpc, from, 'domain', place, isKnown ? STATUS.success : STATUS.noSuchDomain)
})

/** SamrEnumerateUsersInDomain: by name, as the database's file gives them. */
const enumUsers = onKind('domain', 3, ({ call }, from, { isBuiltin }) => {
  const users = isBuiltin ? [] : sambaUsers(call.machine)
  return {
    stub: namesAnswer(
      from,
      users.map(({ name, rid }) => ({ name, number: rid })),
    ),
    events: [call.enumerationEvent('SamrEnumerateUsersInDomain', STATUS.success)],
  }
})

/** SamrGetDomainPasswordInformation. */
const passwordRules: Operation = ({ stub }) => {
  const from = ndrReader(stub)
  if (from.pointer()) {
    if (from.unicodeString()) from.unicodeBuffer()
    if (!from.isIntact) return { fault: FAULT.badStub }
  }
  return domainPasswordRules(answerTo(from))
}

export const samr: RpcInterface = {
  uuid: uuid('12345778-1234-abcd-ef00-0123456789ac'),
  version: 1,
  operations: {
    0: connect('SamrConnect'),
    1: closeHandle,
    5: lookupDomain,
    6: enumDomains,
    7: openDomain,
    8: queryDomain,
    11: enumNothing('SamrEnumerateGroupsInDomain'),
    13: enumUsers,
    15: enumNothing('SamrEnumerateAliasesInDomain'),
    16: aliasMembership,
    17: lookupNames,
    18: lookupRids,
    19: openGroup,
    20: queryGroup,
    25: groupMembers,
    27: openAlias,
    34: openUser,
    36: queryUser,
    39: groupsOfUser,
    40: queryDisplay,
    44: userPasswordRules,
    46: queryDomain,
    47: queryUser,
    48: queryDisplay,
    51: queryDisplay,
    56: passwordRules,
    57: connect('SamrConnect2'),
    62: connect('SamrConnect4'),
    64: connect('SamrConnect5', true),
  },
}
