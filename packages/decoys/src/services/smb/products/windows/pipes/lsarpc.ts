// The local security authority ([MS-LSAD], [MS-LSAT]): its policy, and names for SIDs, which every user may ask for.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import type { Machine } from '../machine.ts'
import { writeSid } from '../../../protocol/pipes/lsa-types.ts'
import { ndrWriter, type NdrReader, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, uuid, type RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import { lookupNames, lookupSids } from './lsa-lookups.ts'
import { closeHandle, onHandle, openPolicy, type Operation, type RpcCall, type RpcInterface } from './rpc.ts'

const onPolicy = (act: (rpc: RpcCall, from: NdrReader) => RpcAnswer): Operation => onHandle(() => true, act)

const CLASS = { primaryDomain: 3, accountDomain: 5, dnsDomain: 12 } as const

/** LsarQueryInformationPolicy and its successor ([MS-LSAD] 3.1.4.4.4). */
const queryPolicy = onPolicy(({ call }, from) => {
  const infoClass = from.u16()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const write = POLICY[infoClass]
  const to = ndrWriter()
  to.pointer(write !== undefined)
  if (write) {
    to.u16(infoClass)
    write(to, call.machine)
  }
  to.u32(write ? STATUS.success : STATUS.accessDenied)
  return { stub: to.done() }
})

function writeDomain(to: NdrWriter, name: string, parts: readonly number[] | undefined): void {
  to.bytes(zeros(0), 4)
  to.unicodeString(name)
  to.pointer(parts !== undefined)
  to.unicodeBuffer(name)
  if (parts) writeSid(to, parts)
}

const POLICY: Readonly<Record<number, (to: NdrWriter, machine: Machine) => void>> = {
  [CLASS.primaryDomain]: (to, { workgroup }) => writeDomain(to, workgroup, undefined),
  [CLASS.accountDomain]: (to, { names, sid }) => writeDomain(to, names.netbiosComputer, sid),
  [CLASS.dnsDomain]: (to, { workgroup, names }) => {
    const dns = names.isDomain ? names.dnsDomain : ''
    to.bytes(zeros(0), 4)
    for (const text of [workgroup, dns, dns]) to.unicodeString(text)
    to.bytes(zeros(16), 4)
    to.pointer(false)
    for (const text of [workgroup, dns, dns]) to.unicodeBuffer(text)
  },
}

/** LsarGetUserName ([MS-LSAT] 3.1.4.2): as which account the client is known. */
const getUserName: Operation = ({ call }) => {
  const [name, domain] = call.isAnonymous
    ? ['ANONYMOUS LOGON', 'NT AUTHORITY']
    : ['Guest', call.machine.names.netbiosComputer]
  const to = ndrWriter()
  to.pointer()
  to.unicodeString(name)
  to.unicodeBuffer(name)
  to.pointer()
  to.pointer()
  to.unicodeString(domain)
  to.unicodeBuffer(domain)
  to.u32(STATUS.success)
  return { stub: to.done() }
}

/** LsarEnumeratePrivileges, LsarEnumerateAccounts and LsarEnumerateTrustedDomains: for administrators. */
const deniedEnum = onPolicy(() => {
  const to = ndrWriter()
  to.u32(0)
  to.u32(0)
  to.pointer(false)
  to.u32(STATUS.accessDenied)
  return { stub: to.done() }
})

export const lsarpc: RpcInterface = {
  uuid: uuid('12345778-1234-abcd-ef00-0123456789ab'),
  version: 0,
  operations: {
    0: closeHandle,
    2: deniedEnum,
    6: openPolicy(0),
    7: queryPolicy,
    11: deniedEnum,
    13: deniedEnum,
    14: onPolicy(lookupNames),
    15: onPolicy((rpc, from) => lookupSids(rpc, from, false)),
    44: openPolicy(0),
    45: getUserName,
    46: queryPolicy,
    57: onPolicy((rpc, from) => lookupSids(rpc, from, true)),
  },
}
