// Privileges and who has them ([MS-LSAD] 3.1.4.5, 3.1.4.8) on a Samba that nobody has configured.
import { join, u16, u32, u8, zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { readSid, sidText, type Sid } from '../../../protocol/pipes/lsa-types.ts'
import { HANDLE_BYTES } from '../../../protocol/pipes/handles.ts'
import { answerTo, type NdrReader, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, type RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import { newHandle, onHandle, type Operation, type RpcCall } from './rpc.ts'
import { PRIVILEGES, type Privilege } from './privileges.data.ts'
import { writeLargeString } from './strings.ts'

type OnPolicy = (rpc: RpcCall, from: NdrReader) => RpcAnswer

/** The first field of handles of accounts. */
const ACCOUNT = 2
const ACCOUNT_HANDLE = 'account'
const accountMeaning = (sid: Sid): string => `${ACCOUNT_HANDLE} ${sidText(sid)}`
const BUILTIN = 32
const ADMINISTRATORS = 544
const DOMAIN_ADMINS = 512

const builtin = (rid: number): Sid => ({ authority: 5, parts: [BUILTIN, rid] })
const administrators = builtin(ADMINISTRATORS)
const EVERYONE: Sid = { authority: 1, parts: [0] }
/** In the order in which its database gives them: administrators have every privilege, the others none. */
const ACCOUNTS: readonly Sid[] = [...[550, 548, 551, 549].map(builtin), administrators, EVERYONE]

const isSame = (a: Sid, b: Sid): boolean => a.authority === b.authority && a.parts.join() === b.parts.join()
const sidBytes = ({ authority, parts }: Sid): Buffer =>
  join(u8(1), u8(parts.length), zeros(5), u8(authority), ...parts.map(u32))

function writeSids(to: NdrWriter, sids: readonly Sid[]): void {
  to.u32(sids.length)
  for (let i = 0; i < sids.length; i += 1) to.pointer()
  for (const sid of sids) {
    to.u32(sid.parts.length)
    to.bytes(sidBytes(sid))
  }
}

/** The fields of an RPC_UNICODE_STRING whose buffer has room for a zero. */
function writeLargeFields(to: NdrWriter, text: string): void {
  to.bytes(zeros(0), 4)
  to.u16(2 * text.length)
  to.u16(2 * text.length + 2)
  to.pointer()
}

/** Names in capitals or small letters; what nobody can be granted has no number. */
const privilegeNamed = (name: string): Privilege | undefined =>
  PRIVILEGES.find((each) => each.name.toLowerCase() === name.toLowerCase())

/** None behind the last: where the client stands already, and that there are no more. */
function noMore(from: NdrReader, resume: number): RpcAnswer {
  const to = answerTo(from)
  to.u32(resume)
  to.u32(0)
  to.pointer(false)
  to.u32(STATUS.noMoreEntries)
  return { stub: to.done() }
}

/** LsarEnumeratePrivileges: those that can be granted by tools; of those before `resume`, empty entries. */
export const enumeratePrivileges: OnPolicy = (_, from) => {
  const resume = from.u32()
  from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const listed = PRIVILEGES.filter(({ isListed }) => isListed)
  if (resume >= listed.length) return noMore(from, resume)
  const to = answerTo(from)
  to.u32(listed.length)
  to.u32(listed.length)
  to.pointer()
  to.u32(listed.length)
  for (const [i, { name, number }] of listed.entries()) {
    if (i < resume) {
      to.bytes(zeros(16), 4)
      continue
    }
    writeLargeFields(to, name)
    to.u32(number)
    to.u32(0)
  }
  for (const { name } of listed.slice(resume)) {
    to.bytes(zeros(0), 4)
    writeLargeString(to, name)
  }
  to.u32(STATUS.success)
  return { stub: to.done() }
}

/** LsarEnumerateAccounts: all at once, however few are asked for; from the middle of the list the real one crashes. */
export const enumerateAccounts: OnPolicy = ({ call }, from) => {
  const resume = from.u32()
  from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  if (resume >= ACCOUNTS.length) return noMore(from, resume)
  if (resume > 0) return 'crash'
  const to = answerTo(from)
  to.u32(ACCOUNTS.length)
  to.u32(ACCOUNTS.length)
  to.pointer()
  writeSids(to, ACCOUNTS)
  to.u32(STATUS.success)
  return { stub: to.done(), events: [call.enumerationEvent('LsarEnumerateAccounts', STATUS.success)] }
}

/** LsarEnumerateAccountsWithUserRight. */
export const accountsWithRight: OnPolicy = ({ call }, from) => {
  const name = from.pointer() && from.unicodeString() ? from.unicodeBuffer() : ''
  if (!from.isIntact) return { fault: FAULT.badStub }
  const status = privilegeNamed(name) ? STATUS.success : STATUS.noSuchPrivilege
  const to = answerTo(from)
  to.u32(status === STATUS.success ? 1 : 0)
  to.pointer(status === STATUS.success)
  if (status === STATUS.success) writeSids(to, [administrators])
  to.u32(status)
  return {
    stub: to.done(),
    events: [call.enumerationEvent('LsarEnumerateAccountsWithUserRight', status)],
  }
}

/** LsarEnumerateAccountRights. */
export const accountRights: OnPolicy = ({ call }, from) => {
  const sid = readSid(from)
  if (!from.isIntact) return { fault: FAULT.badStub }
  const isKnown = ACCOUNTS.some((each) => isSame(each, sid))
  const rights = isSame(sid, administrators) ? PRIVILEGES : []
  const status = isKnown ? STATUS.success : STATUS.objectNameNotFound
  const to = answerTo(from)
  to.u32(rights.length)
  to.pointer(rights.length > 0)
  if (rights.length > 0) to.u32(rights.length)
  for (const { name } of rights) writeLargeFields(to, name)
  for (const { name } of rights) {
    to.bytes(zeros(0), 4)
    writeLargeString(to, name)
  }
  to.u32(status)
  return { stub: to.done(), events: [call.enumerationEvent('LsarEnumerateAccountRights', status)] }
}

/** LsarLookupPrivilegeValue; an empty name crashes the real one. */
export const privilegeValue: OnPolicy = (_, from) => {
  const isThere = from.unicodeString()
  const name = isThere ? from.unicodeBuffer() : ''
  if (!from.isIntact) return { fault: FAULT.badStub }
  if (!isThere) return 'crash'
  const found = privilegeNamed(name)
  const to = answerTo(from)
  to.u32(found?.number ?? 0)
  to.u32(0)
  to.u32(found ? STATUS.success : STATUS.noSuchPrivilege)
  return { stub: to.done() }
}

/** LsarLookupPrivilegeName. */
export const privilegeName: OnPolicy = (_, from) => {
  const [low, high] = [from.u32(), from.u32()]
  if (!from.isIntact) return { fault: FAULT.badStub }
  const found = high === 0 ? PRIVILEGES.find(({ number }) => number === low) : undefined
  const to = answerTo(from)
  to.pointer(found !== undefined)
  if (found) {
    writeLargeFields(to, found.name)
    writeLargeString(to, found.name)
  }
  to.u32(found ? STATUS.success : STATUS.noSuchPrivilege)
  return { stub: to.done() }
}

/** LsarLookupPrivilegeDisplayName: in English, whatever language is asked for; it says the one that was. */
export const privilegeDisplayName: OnPolicy = (_, from) => {
  const name = from.unicodeString() ? from.unicodeBuffer() : ''
  const language = from.u16()
  from.u16()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const found = privilegeNamed(name)
  const to = answerTo(from)
  to.pointer(found !== undefined)
  if (found) {
    writeLargeFields(to, found.title)
    writeLargeString(to, found.title)
  }
  to.u16(found ? language : 0)
  to.u32(found ? STATUS.success : STATUS.noSuchPrivilege)
  return { stub: to.done() }
}

/** To look at an account, and to read who may: all that others than administrators may ask for. */
const ACCOUNT_ACCESS = 0x00020001
const MAXIMUM_ALLOWED = 0x02000000

/** LsarOpenAccount: also of accounts that are not there. */
export const openAccount: OnPolicy = (rpc, from) => {
  const sid = readSid(from)
  const access = from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const isAllowed = (access & ~(ACCOUNT_ACCESS | MAXIMUM_ALLOWED)) === 0
  const made = isAllowed ? newHandle(rpc, accountMeaning(sid), ACCOUNT) : undefined
  const to = answerTo(from)
  to.bytes(made?.handle ?? zeros(HANDLE_BYTES), 4)
  to.u32(made ? STATUS.success : isAllowed ? STATUS.insufficientResources : STATUS.accessDenied)
  return { stub: to.done(), ...(made && { handles: made.handles }) }
}

/** LsarCreateAccount, for administrators. */
export const createAccount: OnPolicy = (_, from) => {
  readSid(from)
  from.u32()
  return denied(from, HANDLE_BYTES)
}

/** LsarAddAccountRights and LsarRemoveAccountRights, for administrators. */
export const changeRights: OnPolicy = (_, from) => {
  readSid(from)
  return denied(from, 0)
}

function denied(from: NdrReader, handleBytes: number): RpcAnswer {
  if (!from.isIntact) return { fault: FAULT.badStub }
  const to = answerTo(from)
  to.bytes(zeros(handleBytes), 4)
  to.u32(STATUS.accessDenied)
  return { stub: to.done() }
}

/** LsarEnumerateTrustedDomains: a server that is no domain controller trusts none. */
export const enumerateTrusts: OnPolicy = (_, from) => {
  from.u32()
  from.u32()
  return from.isIntact ? noMore(from, 0xffffffff) : { fault: FAULT.badStub }
}

const ALL_RIGHTS = 0x000f1fff
const EVERYONES_RIGHTS = 0x00020807
const SELF_RELATIVE_DACL = 0x8004

/** LsarQuerySecurityObject: owner and list, whichever parts are asked for ([MS-DTYP] 2.4.6). */
export const querySecurity: OnPolicy = ({ call: { machine } }, from) => {
  from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const domainAdmins: Sid = { authority: 5, parts: [...machine.sid, DOMAIN_ADMINS] }
  const entries = [
    entry(EVERYONES_RIGHTS, EVERYONE),
    entry(ALL_RIGHTS, administrators),
    entry(ALL_RIGHTS, builtin(548)),
    entry(ALL_RIGHTS, domainAdmins),
  ]
  const list = join(...entries)
  const owner = sidBytes(domainAdmins)
  const head = [20, 0, 0, 20 + owner.length].map(u32)
  const acl = join(u8(2), u8(0), u16(8 + list.length), u16(entries.length), u16(0), list)
  const descriptor = join(u8(1), u8(0), u16(SELF_RELATIVE_DACL), ...head, owner, acl)
  const to = answerTo(from)
  to.pointer()
  to.u32(descriptor.length)
  to.pointer()
  to.u32(descriptor.length)
  to.bytes(descriptor)
  to.u32(STATUS.success)
  return { stub: to.done() }
}

/** An entry that allows. */
function entry(rights: number, sid: Sid): Buffer {
  const bytes = sidBytes(sid)
  return join(u8(0), u8(0), u16(8 + bytes.length), u32(rights), bytes)
}

const onAccount = (act: (account: Sid | undefined, from: NdrReader) => RpcAnswer): Operation =>
  onHandle(
    (meaning) => meaning.startsWith(`${ACCOUNT_HANDLE} `),
    (_, from, meaning) =>
      act(
        ACCOUNTS.find((sid) => meaning === accountMeaning(sid)),
        from,
      ),
  )

const RIGHT_TO_LOG_ON = 3

/** By number, on a handle of an account. */
export const accountOperations: Readonly<Record<number, Operation>> = {
  /** LsarEnumeratePrivilegesAccount. */
  18: onAccount((account, from) => {
    const privileges = account && isSame(account, administrators) ? PRIVILEGES : []
    const to = answerTo(from)
    to.pointer(account !== undefined)
    if (account) {
      to.u32(privileges.length)
      to.u32(privileges.length)
      to.u32(0)
      for (const { number } of privileges) for (const value of [number, 0, 0]) to.u32(value)
    }
    to.u32(account ? STATUS.success : STATUS.objectNameNotFound)
    return { stub: to.done() }
  }),
  /** LsarGetSystemAccessAccount. */
  23: onAccount((account, from) => {
    const to = answerTo(from)
    to.u32(account ? RIGHT_TO_LOG_ON : 0)
    to.u32(account ? STATUS.success : STATUS.objectNameNotFound)
    return { stub: to.done() }
  }),
}
