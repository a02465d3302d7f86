// Users, groups and members of a domain ([MS-SAMR]): a Samba that is no domain controller has one group, in which all users are.
import { STATUS } from '../../../protocol/codec/status.ts'
import { mappedStatus } from '../../../protocol/pipes/lsa-types.ts'
import { USE } from '../../../protocol/pipes/lsa-types.ts'
import { answerTo, type NdrReader } from '../../../protocol/pipes/ndr.ts'
import { FAULT, type RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import type { Operation, RpcCall } from './rpc.ts'
import { isSameName, NOBODY, NONE, sambaUsers } from '../accounts.ts'
import type { SambaMachine } from '../machine.ts'
import { BUILTIN_NAMES } from './known-sids.data.ts'
import { onKind, openedAs, type Place } from './samr-handles.ts'
import { writeStringBuffer, writeStringFields } from './strings.ts'

const MAX_NAMES = 1_000
const NO_RID = 0xffffffff
/** SE_GROUP_MANDATORY, SE_GROUP_ENABLED_BY_DEFAULT and SE_GROUP_ENABLED. */
const GROUP_ATTRIBUTES = 7
const GROUP_DESCRIPTION = 'Ordinary Users'

interface Member {
  readonly name: string
  readonly rid: number
  readonly use: number
}

const membersOf = (machine: SambaMachine, { isBuiltin }: Place): readonly Member[] =>
  isBuiltin
    ? Object.entries(BUILTIN_NAMES).map(([rid, name]) => ({ name, rid: Number(rid), use: USE.alias }))
    : [
        ...[NOBODY, ...sambaUsers(machine)].map((user) => ({ ...user, use: USE.user })),
        { ...NONE, use: USE.group },
      ]

const listed = (rpc: RpcCall, stub: Buffer, operation: string, status: number): RpcAnswer => ({
  stub,
  events: [rpc.call.enumerationEvent(operation, status)],
})

/** SamrEnumerateGroupsInDomain and SamrEnumerateAliasesInDomain: groups of Linux are none of them. */
export const enumNothing = (operation: string): Operation =>
  onKind('domain', 3, (rpc, from) => {
    const to = answerTo(from)
    to.u32(0)
    to.pointer()
    to.u32(0)
    to.pointer(false)
    to.u32(0)
    to.u32(STATUS.success)
    return listed(rpc, to.done(), operation, STATUS.success)
  })

/** SamrLookupNamesInDomain. */
export const lookupNames = onKind('domain', 4, (rpc, from, place) => {
  const count = from.u32()
  from.bytes(8)
  if (count > MAX_NAMES || from.count() !== count) return { fault: FAULT.badStub }
  const fields = Array.from({ length: count }, () => from.unicodeString())
  const texts = fields.map((isThere) => (isThere ? from.unicodeBuffer() : ''))
  if (!from.isIntact) return { fault: FAULT.badStub }
  const members = membersOf(rpc.call.machine, place).filter(({ rid }) => rid !== NOBODY.rid)
  const found = texts.map((text) => members.find(({ name }) => isSameName(name, text)))
  const to = answerTo(from)
  for (const pick of [
    (member?: Member) => member?.rid ?? NO_RID,
    (member?: Member) => member?.use ?? USE.unknown,
  ]) {
    to.u32(count)
    to.pointer(count > 0)
    if (count > 0) to.u32(count)
    for (const member of found) to.u32(pick(member))
  }
  const status = mappedStatus(found.filter((each) => each !== undefined).length, count)
  to.u32(status)
  return listed(rpc, to.done(), 'SamrLookupNamesInDomain', status)
})

/** SamrLookupIdsInDomain. */
export const lookupRids = onKind('domain', 4, (rpc, from, place) => {
  const count = from.u32()
  from.bytes(8)
  if (count > MAX_NAMES || from.count() !== count) return { fault: FAULT.badStub }
  const rids = Array.from({ length: count }, () => from.u32())
  if (!from.isIntact) return { fault: FAULT.badStub }
  const members = membersOf(rpc.call.machine, place)
  const found = rids.map((rid) => members.find((member) => member.rid === rid))
  const to = answerTo(from)
  to.u32(count)
  to.pointer(count > 0)
  if (count > 0) to.u32(count)
  for (const member of found) to.unicodeString(member?.name ?? '')
  for (const member of found) to.unicodeBuffer(member?.name ?? '')
  to.u32(count)
  to.pointer(count > 0)
  if (count > 0) to.u32(count)
  for (const member of found) to.u32(member?.use ?? USE.unknown)
  const status = mappedStatus(found.filter((each) => each !== undefined).length, count)
  to.u32(status)
  return listed(rpc, to.done(), 'SamrLookupIdsInDomain', status)
})

function ridOf(from: NdrReader): number {
  from.u32()
  return from.u32()
}

/** SamrOpenGroup. */
export const openGroup = onKind('domain', 5, (rpc, from, place) => {
  const rid = ridOf(from)
  if (!from.isIntact) return { fault: FAULT.badStub }
  const status = place.isBuiltin
    ? STATUS.accessDenied
    : rid === NONE.rid
      ? STATUS.success
      : STATUS.noSuchGroup
  return openedAs(rpc, from, 'group', { isBuiltin: false, rid }, status)
})

/** SamrOpenAlias: there is none, not even of those that have names. */
export const openAlias = onKind('domain', 5, (rpc, from) => {
  const rid = ridOf(from)
  if (!from.isIntact) return { fault: FAULT.badStub }
  return openedAs(rpc, from, 'group', { isBuiltin: false, rid }, STATUS.noSuchAlias)
})

/** SamrOpenUser. */
export const openUser = onKind('domain', 5, (rpc, from, place) => {
  const rid = ridOf(from)
  if (!from.isIntact) return { fault: FAULT.badStub }
  const users = place.isBuiltin ? [] : [NOBODY, ...sambaUsers(rpc.call.machine)]
  const isThere = users.some((user) => user.rid === rid)
  const status = isThere ? STATUS.success : STATUS.noSuchUser
  return openedAs(rpc, from, 'user', { isBuiltin: false, rid }, status)
})

/** SamrQueryInformationGroup ([MS-SAMR] 3.1.5.5.3): name, attributes, count of members, description. */
export const queryGroup = onKind('group', 1, (rpc, from) => {
  const infoClass = from.u16()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const to = answerTo(from)
  const isKnown = infoClass >= 1 && infoClass <= 5
  to.pointer(isKnown)
  if (isKnown) {
    to.u16(infoClass)
    to.bytes(Buffer.alloc(0), 4)
    const isWhole = infoClass === 1 || infoClass === 5
    const texts = [
      ...(isWhole || infoClass === 2 ? [NONE.name] : []),
      ...(isWhole || infoClass === 4 ? [GROUP_DESCRIPTION] : []),
    ]
    if (texts.length > 0) writeStringFields(to, texts[0]!)
    if (isWhole || infoClass === 3) to.u32(GROUP_ATTRIBUTES)
    if (isWhole) {
      to.u32(0)
      writeStringFields(to, GROUP_DESCRIPTION)
    }
    for (const text of texts) writeStringBuffer(to, text)
  }
  to.u32(isKnown ? STATUS.success : STATUS.invalidInfoClass)
  return listed(rpc, to.done(), 'SamrQueryInformationGroup', STATUS.success)
})

/** SamrGetMembersInGroup: users are in it by their own entries, which are not counted. */
export const groupMembers = onKind('group', 1, (rpc, from) => {
  const to = answerTo(from)
  to.pointer()
  for (let field = 0; field < 3; field += 1) to.u32(0)
  to.u32(STATUS.success)
  return listed(rpc, to.done(), 'SamrGetMembersInGroup', STATUS.success)
})

/** SamrGetGroupsForUser. */
export const groupsOfUser = onKind('user', 1, (rpc, from) => {
  const to = answerTo(from)
  to.pointer()
  to.u32(1)
  to.pointer()
  to.u32(1)
  to.u32(NONE.rid)
  to.u32(GROUP_ATTRIBUTES)
  to.u32(STATUS.success)
  return listed(rpc, to.done(), 'SamrGetGroupsForUser', STATUS.success)
})

/** SamrGetAliasMembership: nobody is in any. */
export const aliasMembership = onKind('domain', 2, (rpc, from) => {
  const to = answerTo(from)
  to.u32(0)
  to.pointer()
  to.u32(0)
  to.u32(STATUS.success)
  return listed(rpc, to.done(), 'SamrGetAliasMembership', STATUS.success)
})
