// The server service ([MS-SRVS]): shares, the server itself, its clock. What takes an administrator is refused.
import { writeTimeOfDay } from './time-of-day.ts'
import type { Machine } from '../machine.ts'
import { deniedEnum } from './denied-enum.ts'
import { ndrReader, ndrWriter, type NdrWriter } from './ndr.ts'
import { FAULT, uuid, WIN32, type Operation, type RpcAnswer, type RpcInterface } from './rpc.ts'

interface Share {
  readonly name: string
  readonly type: number
  readonly comment: string
}

const DISK = 0
const IPC = 3
/** STYPE_SPECIAL: shares that Windows makes. */
const SPECIAL = 0x80000000

const sharesOf = ({ share }: Machine): readonly Share[] => [
  { name: 'ADMIN$', type: SPECIAL + DISK, comment: 'Remote Admin' },
  { name: 'C$', type: SPECIAL + DISK, comment: 'Default share' },
  { name: 'IPC$', type: SPECIAL + IPC, comment: 'Remote IPC' },
  { name: share.name, type: DISK, comment: share.comment },
]

/** The levels that everybody may ask for; the fixed part of a share, and the texts that follow all of them. */
export const SHARE_LEVELS: Readonly<Record<number, (to: NdrWriter, share: Share) => readonly string[]>> = {
  0: (to, { name }) => {
    to.pointer()
    return [name]
  },
  1: (to, { name, type, comment }) => {
    to.pointer()
    to.u32(type)
    to.pointer()
    return [name, comment]
  },
  501: (to, { name, type, comment }) => {
    to.pointer()
    to.u32(type)
    to.pointer()
    to.u32(0)
    return [name, comment]
  },
}
const ADMINISTRATORS_LEVELS = new Set([2, 502, 503])

const refusal = (level: number): number =>
  ADMINISTRATORS_LEVELS.has(level) ? WIN32.accessDenied : WIN32.invalidLevel

/** NetrShareEnum (3.1.4.8), and NetrShareEnumSticky. */
const shareEnum: Operation = ({ call, stub }) => {
  const from = ndrReader(stub)
  from.optionalString()
  const level = from.u32()
  from.u32()
  const hasContainer = from.pointer()
  if (hasContainer) {
    from.u32()
    if (from.pointer()) return { fault: FAULT.badStub }
  }
  from.u32()
  const hasResume = from.pointer()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const write = SHARE_LEVELS[level]
  const shares = write ? sharesOf(call.machine) : []
  const to = ndrWriter()
  to.u32(level)
  to.u32(level)
  to.pointer(write !== undefined)
  if (write) {
    to.u32(shares.length)
    to.pointer()
    to.u32(shares.length)
    const texts = shares.flatMap((share) => write(to, share))
    for (const text of texts) to.string(text)
  }
  to.u32(shares.length)
  to.pointer(hasResume)
  if (hasResume) to.u32(0)
  to.u32(write ? WIN32.success : refusal(level))
  return { stub: to.done() }
}

/** A union of levels: its discriminant, a pointer, and what is behind it; or null and an error. */
function levelled(
  level: number,
  write: ((to: NdrWriter) => readonly string[]) | undefined,
  error: number,
): RpcAnswer {
  const to = ndrWriter()
  to.u32(level)
  to.pointer(write !== undefined)
  for (const text of write?.(to) ?? []) to.string(text)
  to.u32(write ? WIN32.success : error)
  return { stub: to.done() }
}

/** NetrShareGetInfo (3.1.4.10). */
const shareGetInfo: Operation = ({ call, stub }) => {
  const from = ndrReader(stub)
  from.optionalString()
  const name = from.string()
  const level = from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const share = sharesOf(call.machine).find((each) => each.name.toUpperCase() === name.toUpperCase())
  const write = SHARE_LEVELS[level]
  if (!share) return levelled(level, undefined, WIN32.netNameNotFound)
  if (level === 1_005) return levelled(level, (to) => (to.u32(0), []), WIN32.success)
  return levelled(level, write && ((to) => write(to, share)), refusal(level))
}

const PLATFORM_NT = 500
const VERSION = [10, 0] as const

/** NetrServerGetInfo (3.1.4.17): level 102 is for administrators. */
const serverGetInfo: Operation = ({ call, stub }) => {
  const from = ndrReader(stub)
  from.optionalString()
  const level = from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const { names, edition, comment } = call.machine
  const isShort = level === 100
  const write = (to: NdrWriter): readonly string[] => {
    to.u32(PLATFORM_NT)
    to.pointer()
    if (isShort) return [names.netbiosComputer]
    for (const number of [...VERSION, edition.serverType]) to.u32(number)
    to.pointer()
    return [names.netbiosComputer, comment]
  }
  const isDenied = level === 102 || level === 502 || level === 503
  return levelled(
    level,
    isShort || level === 101 ? write : undefined,
    isDenied ? WIN32.accessDenied : WIN32.invalidLevel,
  )
}

/** NetrRemoteTOD (3.1.4.21): the clock in UTC, with the time since the start. */
const remoteTod: Operation = ({ call }) => {
  const now = call.context.now()
  const to = ndrWriter()
  writeTimeOfDay(to, now, {
    // As GetTickCount, which begins anew after 49.7 days.
    uptimeMs: call.machine.uptimeMs(now) % 2 ** 32,
    hundredths: Math.floor(new Date(now).getUTCMilliseconds() / 10),
    tick: 310,
  })
  to.u32(WIN32.success)
  return { stub: to.done() }
}

export const srvsvc: RpcInterface = {
  uuid: uuid('4b324fc8-1670-01d3-1278-5a47bf6ee188'),
  version: 3,
  operations: {
    // Connections, files and sessions (3.1.4.1, 3.1.4.2, 3.1.4.5).
    8: deniedEnum,
    9: deniedEnum,
    12: deniedEnum,
    15: shareEnum,
    16: shareGetInfo,
    21: serverGetInfo,
    28: remoteTod,
    36: shareEnum,
  },
}
