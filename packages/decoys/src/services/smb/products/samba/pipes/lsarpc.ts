// The local security authority ([MS-LSAD], [MS-LSAT]) of Samba.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { writeSid } from '../../../protocol/pipes/lsa-types.ts'
import { answerTo, ndrReader, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, uuid } from '../../../protocol/pipes/rpc.ts'
import { closeHandle, onHandle, openPolicy, type Operation, type RpcInterface } from './rpc.ts'
import type { SambaMachine } from '../machine.ts'
import { lookupNames, lookupSids } from './lookups.ts'
import {
  accountOperations,
  accountRights,
  accountsWithRight,
  changeRights,
  createAccount,
  enumerateAccounts,
  enumeratePrivileges,
  enumerateTrusts,
  openAccount,
  privilegeDisplayName,
  privilegeName,
  privilegeValue,
  querySecurity,
} from './privileges.ts'
import { writeLargeString } from './strings.ts'

/** The first field of its handles. */
const POLICY = 1

const isPolicy = (meaning: string): boolean => meaning === 'policy'

/** LsarQueryInformationPolicy ([MS-LSAD] 3.1.4.4.4) and its successor. */
const queryPolicy = onHandle(isPolicy, ({ call }, from) => {
  const infoClass = from.u16()
  if (!from.isIntact) return { fault: FAULT.badStub }
  if (infoClass === 0 || infoClass > LAST_CLASS) return { fault: FAULT.badStub }
  const write = CLASSES[infoClass]
  const to = answerTo(from)
  to.pointer(write !== undefined)
  if (write) {
    to.u16(infoClass)
    write(to, call.machine)
  }
  to.u32(
    write
      ? NOT_FOR_MEMBERS.has(infoClass)
        ? STATUS.invalidInfoClass
        : STATUS.success
      : STATUS.invalidParameter,
  )
  return { stub: to.done() }
})

const LAST_CLASS = 14
/** A domain controller fills them in; others say their empty form, and that there is none. */
const NOT_FOR_MEMBERS = new Set([12, 13, 14])
const empty =
  (bytes: number) =>
  (to: NdrWriter): void =>
    to.bytes(zeros(bytes), 4)
/** Success and failure of all seven kinds are audited. */
const AUDITED = 3
const AUDIT_KINDS = 7
const PRIMARY_ROLE = 3

function writeDomain(to: NdrWriter, name: string, parts: readonly number[] | undefined): void {
  to.bytes(zeros(0), 4)
  to.u16(2 * name.length)
  to.u16(2 * name.length + 2)
  to.pointer()
  to.pointer(parts !== undefined)
  writeLargeString(to, name)
  if (parts) writeSid(to, parts)
}

const CLASSES: Readonly<Record<number, (to: NdrWriter, machine: SambaMachine) => void>> = {
  1: empty(36),
  2: (to) => {
    to.bytes(zeros(0), 4)
    to.u32(1)
    to.pointer()
    to.u32(AUDIT_KINDS)
    to.u32(AUDIT_KINDS)
    for (let kind = 0; kind < AUDIT_KINDS; kind += 1) to.u32(AUDITED)
  },
  3: (to, { workgroup }) => writeDomain(to, workgroup, undefined),
  4: empty(8),
  5: (to, { netbiosName, sid }) => writeDomain(to, netbiosName, sid),
  6: (to) => to.u32(PRIMARY_ROLE),
  7: empty(16),
  8: empty(32),
  12: empty(44),
  13: empty(44),
  14: empty(12),
}

/** LsarGetUserName ([MS-LSAT] 3.1.4.2): nobody is anybody. */
const getUserName: Operation = ({ stub }) => {
  const from = ndrReader(stub)
  from.optionalString()
  if (from.pointer()) {
    from.u32()
    return { fault: FAULT.badStub }
  }
  const wantsAuthority = from.pointer()
  if (wantsAuthority && from.pointer()) return { fault: FAULT.badStub }
  if (!from.isIntact) return { fault: FAULT.badStub }
  const to = answerTo(from)
  const texts = ['Anonymous Logon', ...(wantsAuthority ? ['NT Authority'] : [])]
  for (const [i, text] of texts.entries()) {
    to.pointer()
    if (i > 0) to.pointer()
    to.unicodeString(text)
    to.unicodeBuffer(text)
  }
  if (!wantsAuthority) to.pointer(false)
  to.u32(STATUS.success)
  return { stub: to.done() }
}

export const lsarpc: RpcInterface = {
  uuid: uuid('12345778-1234-abcd-ef00-0123456789ab'),
  version: 0,
  operations: {
    0: closeHandle,
    2: onHandle(isPolicy, enumeratePrivileges),
    3: onHandle(isPolicy, querySecurity),
    6: openPolicy(POLICY),
    7: queryPolicy,
    10: onHandle(isPolicy, createAccount),
    11: onHandle(isPolicy, enumerateAccounts),
    13: onHandle(isPolicy, enumerateTrusts),
    14: onHandle(isPolicy, lookupNames({ hasSids: false, hasFlags: false })),
    15: onHandle(isPolicy, lookupSids(false)),
    17: onHandle(isPolicy, openAccount),
    31: onHandle(isPolicy, privilegeValue),
    32: onHandle(isPolicy, privilegeName),
    33: onHandle(isPolicy, privilegeDisplayName),
    35: onHandle(isPolicy, accountsWithRight),
    36: onHandle(isPolicy, accountRights),
    37: onHandle(isPolicy, changeRights),
    38: onHandle(isPolicy, changeRights),
    44: openPolicy(POLICY),
    ...accountOperations,
    45: getUserName,
    57: onHandle(isPolicy, lookupSids(true)),
    58: onHandle(isPolicy, lookupNames({ hasSids: false, hasFlags: true })),
    68: onHandle(isPolicy, lookupNames({ hasSids: true, hasFlags: true })),
  },
}
