// What samr says of a domain, of its users, and of passwords ([MS-SAMR] 3.1.5.5), as a Samba does that is no domain controller.
import { u64, zeros } from '../../../../../windows/fields.ts'
import { fileTime } from '../../../../../windows/filetime.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { HANDLE_BYTES } from '../../../protocol/pipes/handles.ts'
import { answerTo, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, type RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import { onHandle, type Operation, type RpcCall } from './rpc.ts'
import { NOBODY, NONE, sambaUsers } from '../accounts.ts'
import type { SambaMachine } from '../machine.ts'
import { onKind, type Place } from './samr-handles.ts'
import { writeStringBuffer, writeStringFields } from './strings.ts'

/** USER_NORMAL_ACCOUNT. */
const NORMAL_ACCOUNT = 0x10
const MIN_PASSWORD = 5
/** Durations in tenths of a microsecond, negative: never, and thirty minutes. */
const NO_LOGOFF = Buffer.from('7f969800806967ff', 'hex')
const LOCKOUT = Buffer.from('ffcb1dcffbffffff', 'hex')
const DOMAIN_ENABLED = 1
const PRIMARY_ROLE = 3

const asked = (rpc: RpcCall, to: NdrWriter, operation: string, status: number): RpcAnswer => {
  to.u32(status)
  return { stub: to.done(), events: [rpc.call.enumerationEvent(operation, status)] }
}

type Texts = readonly string[]
interface DomainFacts {
  readonly machine: SambaMachine
  readonly users: number
  /** Seconds UTC: the number by which copies of a domain are compared. */
  readonly sequence: number
}
type WriteClass = (to: NdrWriter, facts: DomainFacts) => Texts

const writeGeneral: WriteClass = (to, { machine, users, sequence }) => {
  const texts = [machine.comment, machine.workgroup, machine.netbiosName]
  to.bytes(NO_LOGOFF, 4)
  for (const text of texts) writeStringFields(to, text)
  to.bytes(u64(BigInt(sequence)), 4)
  for (const number of [DOMAIN_ENABLED, PRIMARY_ROLE, 1, users, 0, 0]) to.u32(number)
  return texts
}

const writeLockout: WriteClass = (to) => {
  to.bytes(Buffer.concat([LOCKOUT, LOCKOUT]), 4)
  to.u16(0)
  return []
}

const oneText =
  (textOf: (machine: SambaMachine) => string): WriteClass =>
  (to, { machine }) => {
    writeStringFields(to, textOf(machine))
    return [textOf(machine)]
  }

const numbers =
  (...values: readonly number[]): WriteClass =>
  (to) => {
    for (const value of values) to.u32(value)
    return []
  }

/** By class of [MS-SAMR] 2.2.3.16. */
const DOMAIN_CLASSES: Readonly<Record<number, WriteClass>> = {
  1: (to) => {
    to.bytes(Buffer.concat([Buffer.from([MIN_PASSWORD, 0, 0, 0, 0, 0, 0, 0]), NO_LOGOFF, zeros(8)]), 4)
    return []
  },
  2: writeGeneral,
  3: (to) => (to.bytes(NO_LOGOFF, 4), []),
  4: oneText(({ comment }) => comment),
  5: oneText(({ netbiosName }) => netbiosName),
  6: oneText(({ netbiosName }) => netbiosName),
  7: numbers(PRIMARY_ROLE),
  8: (to, { sequence }) => (to.bytes(Buffer.concat([u64(BigInt(sequence)), zeros(8)]), 4), []),
  9: numbers(DOMAIN_ENABLED),
  11: (to, facts) => {
    const texts = writeGeneral(to, facts)
    writeLockout(to, facts)
    return texts
  },
  12: writeLockout,
  13: (to, { sequence }) => (to.bytes(Buffer.concat([u64(BigInt(sequence)), zeros(16)]), 4), []),
}

/** SamrQueryInformationDomain, and its successor. */
export const queryDomain = onKind('domain', 1, (rpc, from, place) => {
  const infoClass = from.u16()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const { machine, context } = rpc.call
  const users = place.isBuiltin ? 0 : machine.users.length
  const write = DOMAIN_CLASSES[infoClass]
  const to = answerTo(from)
  to.pointer(write !== undefined)
  if (write) {
    to.u16(infoClass)
    to.bytes(zeros(0), 4)
    const texts = write(to, { machine, users, sequence: Math.floor(context.now() / 1_000) })
    for (const text of texts) writeStringBuffer(to, text)
  }
  return asked(rpc, to, 'SamrQueryInformationDomain', write ? STATUS.success : STATUS.invalidInfoClass)
})

const ENTRY_BYTES = 32
const LAST_DISPLAY_CLASS = 5
/** Of the classes, those that list users: in Unicode, and in the characters of the machine. */
const DISPLAY = { users: 1, asciiUsers: 4 } as const

/** SamrQueryDisplayInformation, and its successors. */
export const queryDisplay = onKind('domain', 5, (rpc, from, place) => {
  const [infoClass, start, most, bytes] = [from.u16(), from.u32(), from.u32(), from.u32()]
  if (!from.isIntact || infoClass === 0 || infoClass > LAST_DISPLAY_CLASS) return { fault: FAULT.badStub }
  const limit = Math.min(most, Math.floor(bytes / ENTRY_BYTES))
  const entries = displayed(rpc.call.machine, place, infoClass, start, limit)
  const to = answerTo(from)
  to.u32(entries.length * ENTRY_BYTES)
  to.u32(entries.length > 0 ? limit * ENTRY_BYTES : 0)
  to.u16(infoClass)
  to.u32(entries.length)
  to.pointer(entries.length > 0)
  if (entries.length > 0) {
    to.u32(entries.length)
    if (infoClass === DISPLAY.users) writeUsers(to, entries)
    else writeAsciiUsers(to, entries)
  }
  const hasMore = entries.length > 0 && entries.length >= limit
  return asked(rpc, to, 'SamrQueryDisplayInformation', hasMore ? STATUS.moreEntries : STATUS.success)
})

interface Displayed {
  readonly index: number
  readonly name: string
  readonly rid: number
}

function displayed(
  machine: SambaMachine,
  { isBuiltin }: Place,
  infoClass: number,
  start: number,
  limit: number,
): readonly Displayed[] {
  const hasUsers = infoClass === DISPLAY.users || infoClass === DISPLAY.asciiUsers
  if (isBuiltin || !hasUsers) return []
  const users = sambaUsers(machine).map((user, i) => ({ ...user, index: i + 1 }))
  return users.slice(start, limit === 0 ? undefined : start + limit)
}

/** Name, comment and full name of each. */
function writeUsers(to: NdrWriter, entries: readonly Displayed[]): void {
  for (const { index, name, rid } of entries) {
    for (const number of [index, rid, NORMAL_ACCOUNT]) to.u32(number)
    for (const text of [name, '', '']) writeStringFields(to, text)
  }
  for (const { name } of entries) for (const text of [name, '', '']) writeStringBuffer(to, text)
}

function writeAsciiUsers(to: NdrWriter, entries: readonly Displayed[]): void {
  for (const { index, name } of entries) {
    to.u32(index)
    to.u16(name.length)
    to.u16(name.length + 1)
    to.pointer()
  }
  for (const { name } of entries) {
    to.u32(name.length + 1)
    to.u32(0)
    to.u32(name.length)
    to.bytes(Buffer.from(name, 'latin1'))
  }
}

/** SamrGetUserDomainPasswordInformation. */
export const userPasswordRules = onKind('user', 2, (_, from) => ({ stub: passwordRules(answerTo(from)) }))

/** SamrGetDomainPasswordInformation, which takes no handle. */
export const domainPasswordRules = (to: NdrWriter): RpcAnswer => ({ stub: passwordRules(to) })

function passwordRules(to: NdrWriter): Buffer {
  to.u16(MIN_PASSWORD)
  to.u32(0)
  to.u32(STATUS.success)
  return to.done()
}

/** The end of time of a 32-bit clock, and that of [MS-SAMR]. */
const NEVER = Buffer.from('80a94b3e3bcde701', 'hex')
const NO_CHANGE = Buffer.from('ffffffffffffff7f', 'hex')
const ALL_FIELDS = 0x00ffffff
const HOURS_OF_WEEK = 168
const HOURS_ROOM = 1_260

interface User {
  readonly name: string
  readonly rid: number
  readonly home: string
  /** When its password was set. */
  readonly setAt: bigint
}

/** UserAllInformation. Pointers stand before what they point at. */
function writeAll(to: NdrWriter, { name, rid, home, setAt }: User): void {
  to.bytes(Buffer.concat([zeros(8), NEVER, u64(setAt), NEVER, u64(setAt), NO_CHANGE]), 4)
  const texts = [name, '', home, '', '', `${home}\\profile`, '', '', '', '']
  for (const text of texts) writeStringFields(to, text)
  // No hash of a password, nothing private.
  to.bytes(zeros(32), 4)
  for (const number of [rid, NONE.rid, NORMAL_ACCOUNT, ALL_FIELDS]) to.u32(number)
  to.u16(HOURS_OF_WEEK)
  to.pointer()
  to.bytes(zeros(12), 4)
  for (const text of texts) writeStringBuffer(to, text)
  to.u32(HOURS_ROOM)
  to.u32(0)
  to.u32(HOURS_OF_WEEK / 8)
  to.bytes(Buffer.alloc(HOURS_OF_WEEK / 8, 0xff))
}

const texts =
  (of: (user: User) => Texts) =>
  (to: NdrWriter, user: User): void => {
    for (const text of of(user)) writeStringFields(to, text)
    for (const text of of(user)) writeStringBuffer(to, text)
  }

/** By class of [MS-SAMR] 2.2.6.28. */
const USER_CLASSES: Readonly<Record<number, (to: NdrWriter, user: User) => void>> = {
  6: texts(({ name }) => [name, '']),
  7: texts(({ name }) => [name]),
  8: texts(() => ['']),
  9: (to) => to.u32(NONE.rid),
  10: texts(({ home }) => [home, '']),
  11: texts(() => ['']),
  12: texts(({ home }) => [`${home}\\profile`]),
  13: texts(() => ['']),
  14: texts(() => ['']),
  16: (to) => to.u32(NORMAL_ACCOUNT),
  17: (to) => to.bytes(NEVER, 4),
  20: texts(() => ['']),
  21: writeAll,
}

/** SamrQueryInformationUser, and its successor: of what they cannot tell, they say so before they look at the handle. */
export const queryUser: Operation = (rpc) => {
  const isKnown = rpc.stub.length < HANDLE_BYTES + 2 || hasClass(rpc.stub.readUInt16LE(HANDLE_BYTES))
  return (isKnown ? queryOwnUser : onAnyHandle)(rpc)
}

const hasClass = (infoClass: number): boolean => USER_CLASSES[infoClass] !== undefined

const onAnyHandle = onHandle(
  () => true,
  (rpc, from) => {
    const to = answerTo(from)
    to.pointer(false)
    return asked(rpc, to, 'SamrQueryInformationUser', STATUS.invalidInfoClass)
  },
)

const queryOwnUser = onKind('user', 1, (rpc, from, { rid }) => {
  const infoClass = from.u16()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const { machine } = rpc.call
  const account = [NOBODY, ...sambaUsers(machine)].find((user) => user.rid === rid)
  const write = USER_CLASSES[infoClass]
  const to = answerTo(from)
  to.pointer(write !== undefined && account !== undefined)
  if (write && account) {
    to.u16(infoClass)
    to.bytes(zeros(0), 4)
    const home = `\\\\${machine.netbiosName}\\${account.name}`
    write(to, { ...account, home, setAt: fileTime(Math.floor(machine.installedAt / 1_000) * 1_000) })
  }
  return asked(rpc, to, 'SamrQueryInformationUser', write ? STATUS.success : STATUS.invalidInfoClass)
})
