// Names for SIDs and SIDs for names ([MS-LSAT] 3.1.4.9 ff.), with which tools list the users of a machine.
import { STATUS } from '../../../protocol/codec/status.ts'
import { mappedStatus, readSid, USE, writeSid } from '../../../protocol/pipes/lsa-types.ts'
import { ndrWriter, type NdrReader, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, type RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import { translateName, translateSid, type Translated } from './account-names.ts'
import type { RpcCall } from './rpc.ts'

const MAX_NAMES = 1_000

/** Those without a name get no translations ("Allow anonymous SID/Name translation" is off since Windows Server 2003). */
function deniedLookup(rpc: RpcCall, operation: string): RpcAnswer {
  const to = ndrWriter()
  to.pointer(false)
  to.u32(0)
  to.pointer(false)
  to.u32(0)
  to.u32(STATUS.accessDenied)
  return { stub: to.done(), events: [rpc.call.enumerationEvent(operation, STATUS.accessDenied)] }
}

/** LsarLookupSids, and LsarLookupSids2, whose names have flags. */
export function lookupSids(rpc: RpcCall, from: NdrReader, hasFlags: boolean): RpcAnswer {
  const count = from.u32()
  if (!from.pointer() || count > MAX_NAMES) return { fault: FAULT.badStub }
  const pointers = Array.from({ length: from.count() }, () => from.pointer())
  const sids = pointers.map(() => readSid(from))
  if (!from.isIntact || pointers.length !== count) return { fault: FAULT.badStub }
  if (rpc.call.isAnonymous) return deniedLookup(rpc, 'LsarLookupSids')
  const { machine } = rpc.call
  const names = sids.map((sid) => translateSid(machine, sid))
  const mapped = names.filter(({ use }) => use !== USE.unknown).length
  const to = ndrWriter()
  const domains = writeDomains(to, names)
  to.u32(names.length)
  to.pointer()
  to.u32(names.length)
  for (const { use, name, domain } of names) {
    to.bytes(Buffer.alloc(0), 4)
    to.u16(use)
    to.bytes(Buffer.alloc(0), 4)
    to.unicodeString(name)
    to.u32(domain ? domains.indexOf(domain.name) : 0xffffffff)
    if (hasFlags) to.u32(0)
  }
  for (const { name } of names) to.unicodeBuffer(name)
  to.u32(mapped)
  to.u32(mappedStatus(mapped, names.length))
  return { stub: to.done(), events: [rpc.call.enumerationEvent('LsarLookupSids', STATUS.success)] }
}

/** LsarLookupNames. */
export function lookupNames(rpc: RpcCall, from: NdrReader): RpcAnswer {
  const count = from.u32()
  if (count > MAX_NAMES || from.count() !== count) return { fault: FAULT.badStub }
  const buffers = Array.from({ length: count }, () => from.unicodeString())
  const texts = buffers.map((isPresent) => (isPresent ? from.unicodeBuffer() : ''))
  if (!from.isIntact) return { fault: FAULT.badStub }
  if (rpc.call.isAnonymous) return deniedLookup(rpc, 'LsarLookupNames')
  const found = texts.map((text) => translateName(rpc.call.machine, text))
  const mapped = found.filter((each) => each !== undefined).length
  const to = ndrWriter()
  const domains = writeDomains(
    to,
    found.filter((each) => each !== undefined),
  )
  to.u32(count)
  to.pointer()
  to.u32(count)
  for (const each of found) {
    to.bytes(Buffer.alloc(0), 4)
    to.u16(each?.use ?? USE.unknown)
    to.u32(each?.rid ?? 0)
    to.u32(each?.domain ? domains.indexOf(each.domain.name) : 0xffffffff)
  }
  to.u32(mapped)
  to.u32(mappedStatus(mapped, count))
  return { stub: to.done(), events: [rpc.call.enumerationEvent('LsarLookupNames', STATUS.success)] }
}

const MAX_DOMAINS = 32

/** LSAPR_REFERENCED_DOMAIN_LIST ([MS-LSAT] 2.2.12); answers their names in order. */
function writeDomains(to: NdrWriter, translated: readonly Translated[]): readonly string[] {
  const domains = new Map(
    translated.flatMap(({ domain }) => (domain ? [[domain.name, domain] as const] : [])),
  )
  to.pointer()
  to.u32(domains.size)
  to.pointer(domains.size > 0)
  to.u32(MAX_DOMAINS)
  if (domains.size === 0) return []
  to.u32(domains.size)
  for (const { name } of domains.values()) {
    to.unicodeString(name)
    to.pointer()
  }
  for (const { name, parts } of domains.values()) {
    to.unicodeBuffer(name)
    writeSid(to, parts)
  }
  return [...domains.keys()]
}
