// The server service ([MS-SRVS]) of Samba: shares, the server itself, its clock.
import { writeTimeOfDay } from '../../../protocol/pipes/time-of-day.ts'
import { FAULT, uuid, WIN32 } from '../../../protocol/pipes/rpc.ts'
import { SHARE_LEVELS as EVERYBODYS_LEVELS } from '../../../protocol/pipes/srvsvc.ts'
import type { NdrWriter } from '../../../protocol/pipes/ndr.ts'
import type { SambaMachine } from '../machine.ts'
import { answerTo, requestReader, type Request } from './ndr-answer.ts'
import type { Operation, RpcAnswer, RpcInterface } from './rpc.ts'

interface Share {
  readonly name: string
  readonly type: number
  readonly comment: string
  readonly path: string
  readonly isHidden: boolean
}

const DISK = 0
const IPC = 0x80000003
const NOT_FOUND = 123
const BAD_FAULT: RpcAnswer = { fault: FAULT.badStub }

/** Those of Debian's configuration, and the home of the guest's account, which Samba makes when a guest comes. */
const sharesOf = ({ share, comment }: SambaMachine): readonly Share[] => [
  {
    name: 'print$',
    type: DISK,
    comment: 'Printer Drivers',
    path: 'C:\\var\\lib\\samba\\printers',
    isHidden: true,
  },
  {
    name: share.name,
    type: DISK,
    comment: share.comment,
    path: `C:\\srv\\samba\\${share.name.toLowerCase()}`,
    isHidden: false,
  },
  { name: 'IPC$', type: IPC, comment: `IPC Service (${comment})`, path: 'C:\\tmp', isHidden: true },
  { name: 'nobody', type: DISK, comment: 'Home Directories', path: 'C:\\nonexistent', isHidden: false },
]

const NO_LIMIT = 0xffffffff

function writeWithPath(to: NdrWriter, { name, type, comment, path }: Share): readonly string[] {
  to.pointer()
  to.u32(type)
  to.pointer()
  for (const number of [0, NO_LIMIT, 0]) to.u32(number)
  to.pointer()
  to.pointer()
  return [name, comment, path, '']
}

/** The fixed part of a share, and the texts that follow all of them. Nobody uses any. */
const SHARE_LEVELS: Readonly<Record<number, (to: NdrWriter, share: Share) => readonly string[]>> = {
  ...EVERYBODYS_LEVELS,
  2: writeWithPath,
  502: (to, share) => {
    const texts = writeWithPath(to, share)
    to.u32(0)
    to.u32(0)
    return texts
  },
  1004: (to, { comment }) => {
    to.pointer()
    return [comment]
  },
  1005: (to) => {
    to.u32(0)
    return []
  },
}

/** Of one share alone. */
const ONE_SHARE_LEVELS: typeof SHARE_LEVELS = {
  ...SHARE_LEVELS,
  1006: (to) => {
    to.u32(NO_LIMIT)
    return []
  },
  1007: (to) => {
    to.u32(0)
    to.pointer()
    return ['']
  },
}

/** NetrShareEnum (3.1.4.8); NetrShareEnumSticky leaves out what ends in a dollar. */
const shareEnum =
  (isSticky: boolean): Operation =>
  ({ call, stub }) => {
    const from = requestReader(stub)
    from.optionalString()
    const level = from.u32()
    const union = from.u32()
    if (BRANCHES.share.has(level) && from.pointer()) {
      from.u32()
      if (from.pointer()) return BAD_FAULT
    }
    from.u32()
    const hasResume = from.pointer()
    const resume = hasResume ? from.u32() : 0
    if (!from.isIntact || union !== level) return BAD_FAULT
    const write = SHARE_LEVELS[level]
    const all = sharesOf(call.machine).filter(({ isHidden }) => !isSticky || !isHidden)
    const shares = write ? all.slice(resume) : []
    const to = answerTo(from)
    to.u32(level)
    to.u32(level)
    if (BRANCHES.share.has(level)) to.pointer(write !== undefined)
    if (write) {
      to.u32(shares.length)
      to.pointer(shares.length > 0)
      if (shares.length > 0) to.u32(shares.length)
      const texts = shares.flatMap((share) => write(to, share))
      for (const text of texts) to.string(text)
    }
    to.u32(shares.length)
    to.pointer(hasResume)
    if (hasResume) to.u32(resume >= all.length || !write ? resume : isSticky ? all.length : 0)
    to.u32(write ? WIN32.success : WIN32.invalidLevel)
    return { stub: to.done() }
  }

/** A union of levels: its discriminant, a pointer, and what is behind it; or null and an error. */
function levelled(
  from: Request,
  level: number,
  write: ((to: NdrWriter) => readonly string[]) | undefined,
  error: number,
  hasPointer = true,
): RpcAnswer {
  const to = answerTo(from)
  to.u32(level)
  if (hasPointer) to.pointer(write !== undefined)
  for (const text of write?.(to) ?? []) to.string(text)
  to.u32(write ? WIN32.success : error)
  return { stub: to.done() }
}

/** A level that Samba's union has no branch for leaves its pointer out. */
const BRANCHES = {
  share: new Set([0, 1, 2, 501, 502, 1004, 1005, 1006, 1007, 1501]),
  server: new Set([100, 101, 102, 402, 403, 502, 503, 599, 1005, 1010]),
}

/** NetrShareGetInfo (3.1.4.10). */
const shareGetInfo: Operation = ({ call, stub }) => {
  const from = requestReader(stub)
  from.optionalString()
  const name = from.string()
  const level = from.u32()
  if (!from.isIntact) return BAD_FAULT
  const share = sharesOf(call.machine).find((each) => each.name.toLowerCase() === name.toLowerCase())
  const write = ONE_SHARE_LEVELS[level]
  const hasPointer = BRANCHES.share.has(level)
  if (!share) return levelled(from, level, undefined, NOT_FOUND, hasPointer)
  if (level === 1_501) return levelled(from, level, undefined, WIN32.success)
  return levelled(from, level, write && ((to) => write(to, share)), WIN32.invalidLevel, hasPointer)
}

const PLATFORM_NT = 500
const VERSION = [6, 1] as const
/** Workstation, server, print queues, Unix, NT, NT server. */
const SERVER_TYPE = 0x00809a03
const ANNOUNCE = { delta: 3_000, rate: 240, users: 0xffffffff, disconnect: 15, licenses: 100_000 } as const

/** NetrServerGetInfo (3.1.4.17). */
const serverGetInfo: Operation = ({ call, stub }) => {
  const from = requestReader(stub)
  from.optionalString()
  const level = from.u32()
  if (!from.isIntact) return BAD_FAULT
  const { netbiosName, comment } = call.machine
  const write = (to: NdrWriter): readonly string[] => {
    to.u32(PLATFORM_NT)
    to.pointer()
    if (level === 100) return [netbiosName]
    for (const number of [...VERSION, SERVER_TYPE]) to.u32(number)
    to.pointer()
    if (level === 101) return [netbiosName, comment]
    for (const number of [
      ANNOUNCE.users,
      ANNOUNCE.disconnect,
      0,
      ANNOUNCE.rate,
      ANNOUNCE.delta,
      ANNOUNCE.licenses,
    ])
      to.u32(number)
    to.pointer()
    return [netbiosName, comment, 'C:\\']
  }
  return levelled(
    from,
    level,
    [100, 101, 102].includes(level) ? write : undefined,
    WIN32.invalidLevel,
    BRANCHES.server.has(level),
  )
}

/** In ten-thousandths of a second. */
const TICK = 10_000

/** NetrRemoteTOD (3.1.4.21): the clock in UTC. */
const remoteTod: Operation = ({ call, stub }) => {
  const from = requestReader(stub)
  from.optionalString()
  if (!from.isIntact) return BAD_FAULT
  const to = answerTo(from)
  writeTimeOfDay(to, call.context.now(), { uptimeMs: 0, hundredths: 0, tick: TICK })
  to.u32(WIN32.success)
  return { stub: to.done() }
}

export const srvsvc: RpcInterface = {
  uuid: uuid('4b324fc8-1670-01d3-1278-5a47bf6ee188'),
  version: 3,
  operations: {
    15: shareEnum(false),
    16: shareGetInfo,
    21: serverGetInfo,
    28: remoteTod,
    36: shareEnum(true),
  },
}
