// Names for SIDs and SIDs for names ([MS-LSAT] 3.1.4.5 ff.) of Samba, with which tools list users and groups.
import { u32, u8, zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { mappedStatus, readSid, sidText, USE, type Sid } from '../../../protocol/pipes/lsa-types.ts'
import { answerTo, type NdrReader, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, type RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import type { RpcCall } from './rpc.ts'
import { nameOfSid, sidOfName, type Domain, type Found, type Scope } from './sid-names.ts'
import { writeLargeString } from './strings.ts'

const MAX_NAMES = 1_000
/** Of a member that is none. */
const NO_INDEX = 0xffffffff
const DOMAIN_RID = 0xffffffff
const MAX_DOMAINS = 32

/** By level ([MS-LSAT] 2.2.16): what names are looked for in, and SIDs; those of names that are missing find nothing. */
const SCOPES: Readonly<Record<'names' | 'sids', Readonly<Record<number, Scope>>>> = {
  names: { 1: 'all', 2: 'own', 3: 'accounts', 5: 'qualified' },
  sids: { 1: 'all', 2: 'own', 3: 'accounts', 4: 'accounts', 5: 'nothing', 6: 'accounts' },
}

const isSid = (a: Sid, b: Sid): boolean => a.authority === b.authority && a.parts.join() === b.parts.join()

/** Each domain once; answers its place. */
function placeIn(domains: Domain[], domain: Domain): number {
  const known = domains.findIndex((each) => each.name === domain.name && isSid(each, domain))
  return known >= 0 ? known : domains.push(domain) - 1
}

/** A SID with its count ([MS-DTYP] 2.4.2.3). */
function writeAnySid(to: NdrWriter, sid: Sid): void {
  const { authority, parts } = sid
  to.u32(parts.length)
  to.bytes(
    Buffer.concat([u8(sid === NO_SID ? 0 : 1), u8(parts.length), zeros(5), u8(authority), ...parts.map(u32)]),
  )
}

/** LSAPR_REFERENCED_DOMAIN_LIST ([MS-LSAT] 2.2.12). */
function writeDomains(to: NdrWriter, domains: readonly Domain[]): void {
  to.pointer()
  to.u32(domains.length)
  to.pointer(domains.length > 0)
  to.u32(domains.length > 0 ? MAX_DOMAINS : 0)
  if (domains.length === 0) return
  to.u32(domains.length)
  for (const { name } of domains) {
    to.u16(2 * name.length)
    to.u16(2 * name.length + 2)
    to.pointer()
    to.pointer()
  }
  for (const domain of domains) {
    writeLargeString(to, domain.name)
    writeAnySid(to, domain)
  }
}

/** The form of an answer to a lookup of names. */
export interface NameForm {
  /** Whole SIDs in place of the last part (LsarLookupNames3). */
  readonly hasSids: boolean
  readonly hasFlags: boolean
}

/** LsarLookupNames, LsarLookupNames2 and LsarLookupNames3. */
export const lookupNames =
  ({ hasSids, hasFlags }: NameForm) =>
  (rpc: RpcCall, from: NdrReader): RpcAnswer => {
    const count = from.u32()
    if (count > MAX_NAMES || from.count() !== count) return { fault: FAULT.badStub }
    const fields = Array.from({ length: count }, () => from.unicodeString())
    const texts = fields.map((isThere) => (isThere ? from.unicodeBuffer() : ''))
    const level = readTail(from)
    if (!from.isIntact) return { fault: FAULT.badStub }
    const scope = SCOPES.names[level] ?? 'nothing'
    const found = texts.map((text) => sidOfName(rpc.call.machine, text, scope))
    const domains: Domain[] = []
    const places = found.map((each) => (each ? placeIn(domains, listed(each, hasSids)) : NO_INDEX))
    const to = answerTo(from)
    writeDomains(to, domains)
    to.u32(count)
    // Of no name, LsarLookupNames2 alone writes a list.
    const hasList = count > 0 || (hasFlags && !hasSids)
    to.pointer(hasList)
    if (hasList) to.u32(count)
    for (const [i, each] of found.entries()) {
      to.bytes(zeros(0), 4)
      to.u16(each?.use ?? USE.unknown)
      if (hasSids) to.pointer()
      else to.u32(each ? (each.rid ?? DOMAIN_RID) : 0)
      to.u32(places[i] ?? NO_INDEX)
      if (hasFlags) to.u32(0)
    }
    if (hasSids) for (const each of found) writeAnySid(to, each ? wholeSid(each) : NO_SID)
    const mapped = found.filter((each) => each !== undefined).length
    const status = hasSids && count === 0 ? STATUS.noneMapped : mappedStatus(mapped, count)
    return answered(rpc, to, 'LsarLookupNames', mapped, status)
  }

/** Of a name that has none; its revision is missing, too. */
const NO_SID: Sid = { authority: 0, parts: [] }

/** In capitals; where whole SIDs are given, one part shorter than they are, also if that is the domain itself. */
function listed({ domain, rid }: Found, hasSids: boolean): Domain {
  const parts = hasSids && rid === undefined ? domain.parts.slice(0, -1) : domain.parts
  return { ...domain, parts, name: domain.name.toUpperCase() }
}

const wholeSid = ({ domain: { authority, parts }, rid }: Found): Sid => ({
  authority,
  parts: rid === undefined ? parts : [...parts, rid],
})

/** Behind the list: an empty one for the answer, the level, and how many were mapped so far. */
function readTail(from: NdrReader): number {
  from.u32()
  from.pointer()
  const level = from.u16()
  from.u32()
  return level
}

function answered(rpc: RpcCall, to: NdrWriter, operation: string, mapped: number, status: number): RpcAnswer {
  to.u32(mapped)
  to.u32(status)
  return { stub: to.done(), events: [rpc.call.enumerationEvent(operation, status)] }
}

/** LsarLookupSids, and LsarLookupSids2, whose names have flags. */
export const lookupSids =
  (hasFlags: boolean) =>
  (rpc: RpcCall, from: NdrReader): RpcAnswer => {
    const count = from.u32()
    if (count > MAX_NAMES) return { fault: FAULT.badStub }
    const pointers = from.pointer() ? Array.from({ length: from.count() }, () => from.pointer()) : []
    const sids = pointers.map(() => readSid(from))
    const level = readTail(from)
    if (!from.isIntact || pointers.length !== count) return { fault: FAULT.badStub }
    const scope = SCOPES.sids[level]
    if (!scope) return nothing(rpc, from, STATUS.invalidParameter)
    if (count === 0) return nothing(rpc, from, STATUS.success, !hasFlags)
    const names = sids.map((sid) => nameOfSid(rpc.call.machine, sid, scope))
    // A SID of an authority alone that is no domain.
    if (names.some(({ domain }, i) => !domain && sids[i]!.parts.length === 0))
      return nothing(rpc, from, STATUS.invalidSid)
    const domains: Domain[] = []
    const places = names.map(({ domain }) => (domain ? placeIn(domains, domain) : NO_INDEX))
    const texts = names.map((each, i) => ('use' in each ? each.name : sidText(sids[i]!)))
    const to = answerTo(from)
    writeDomains(to, domains)
    to.u32(count)
    to.pointer()
    to.u32(count)
    for (const [i, each] of names.entries()) {
      to.bytes(zeros(0), 4)
      to.u16('use' in each ? each.use : USE.unknown)
      to.bytes(zeros(0), 4)
      to.unicodeString(texts[i]!)
      to.u32('use' in each ? (places[i] ?? NO_INDEX) : NO_INDEX)
      if (hasFlags) to.u32(0)
    }
    for (const text of texts) to.unicodeBuffer(text)
    const mapped = names.filter((each) => 'use' in each).length
    return answered(rpc, to, 'LsarLookupSids', mapped, mappedStatus(mapped, count))
  }

/** No domains and no names; of no SID, LsarLookupSids writes a list without entries. */
function nothing(rpc: RpcCall, from: NdrReader, status: number, hasList = false): RpcAnswer {
  const to = answerTo(from)
  to.pointer(false)
  to.u32(0)
  to.pointer(hasList)
  if (hasList) to.u32(0)
  return answered(rpc, to, 'LsarLookupSids', 0, status)
}
