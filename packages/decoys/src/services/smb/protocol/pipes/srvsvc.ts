// The server service ([MS-SRVS]): shares, the server itself, its clock. What a server lists and refuses its product says.
import { ndrReader, type NdrReader, type NdrWriter } from './ndr.ts'
import { FAULT, uuid, WIN32, type Operation, type RpcAnswer, type RpcInterface } from './rpc.ts'
import { writeTimeOfDay, type Clock } from './time-of-day.ts'

export interface Share {
  readonly name: string
  readonly type: number
  readonly comment: string
}

export interface Server {
  readonly name: string
  readonly comment: string
  readonly version: readonly [major: number, minor: number]
  /** SV_TYPE ([MS-SRVS] 2.2.2.7). */
  readonly type: number
}

/** By level: writes the fixed part, and answers the texts that follow all of them. */
export type Levels<About> = Readonly<Record<number, (to: NdrWriter, about: About) => readonly string[]>>

/** The levels that everybody may ask for. */
export const SHARE_LEVELS: Levels<Share> = {
  0: (to, { name }) => {
    to.pointer()
    return [name]
  },
  1: writeShare,
  501: (to, share) => {
    const texts = writeShare(to, share)
    to.u32(0)
    return texts
  },
}

function writeShare(to: NdrWriter, { name, type, comment }: Share): readonly string[] {
  to.pointer()
  to.u32(type)
  to.pointer()
  return [name, comment]
}

const PLATFORM_NT = 500

export const SERVER_LEVELS = {
  100: (to, { name }) => {
    to.u32(PLATFORM_NT)
    to.pointer()
    return [name]
  },
  101: (to, { name, comment, version, type }) => {
    to.u32(PLATFORM_NT)
    to.pointer()
    for (const number of [...version, type]) to.u32(number)
    to.pointer()
    return [name, comment]
  },
} as const satisfies Levels<Server>

export interface ServerService<Machine, Listed extends Share> {
  readonly answerTo: (from: NdrReader) => NdrWriter
  /** What a request says twice must be the same, and what it says is read to its end. */
  readonly isStrict: boolean
  readonly shares: (machine: Machine, isSticky: boolean) => readonly Listed[]
  readonly isSameName: (a: string, b: string) => boolean
  readonly levels: Levels<Listed>
  /** Of one share alone. */
  readonly levelsOfOne: Levels<Listed>
  /** Levels that its unions have a branch for; others have no pointer. All have one if it does not say. */
  readonly branches?: { readonly share: ReadonlySet<number>; readonly server: ReadonlySet<number> }
  readonly unknownShare: number
  readonly shareRefusal: (level: number, isOfOne: boolean) => number
  readonly server: (machine: Machine) => Server
  readonly serverLevels: Levels<Server>
  readonly serverRefusal: (level: number) => number
  readonly clock: (machine: Machine, now: number) => Clock
}

const BAD_STUB: RpcAnswer = { fault: FAULT.badStub }

/** NetrShareEnum (3.1.4.8); NetrShareEnumSticky may list others. */
const shareEnum =
  <Machine, Listed extends Share>(
    { answerTo, isStrict, shares, levels, branches, shareRefusal }: ServerService<Machine, Listed>,
    isSticky: boolean,
  ): Operation<Machine> =>
  ({ call, stub }) => {
    const from = ndrReader(stub)
    from.optionalString()
    const level = from.u32()
    const union = from.u32()
    const hasPointer = branches?.share.has(level) !== false
    if (hasPointer && from.pointer()) {
      from.u32()
      if (from.pointer()) return BAD_STUB
    }
    from.u32()
    const hasResume = from.pointer()
    const resume = hasResume && isStrict ? from.u32() : 0
    if (!from.isIntact || (isStrict && union !== level)) return BAD_STUB
    const write = levels[level]
    const all = shares(call.machine, isSticky)
    const listed = write ? all.slice(resume) : []
    const to = answerTo(from)
    to.u32(level)
    to.u32(level)
    if (hasPointer) to.pointer(write !== undefined)
    if (write) {
      to.u32(listed.length)
      to.pointer(listed.length > 0)
      if (listed.length > 0) to.u32(listed.length)
      const texts = listed.flatMap((share) => write(to, share))
      for (const text of texts) to.string(text)
    }
    to.u32(listed.length)
    to.pointer(hasResume)
    const isBehindAll = resume >= all.length || !write
    if (hasResume) to.u32(isBehindAll ? resume : isStrict && isSticky ? all.length : 0)
    to.u32(write ? WIN32.success : shareRefusal(level, false))
    return { stub: to.done() }
  }

interface Union<About> {
  readonly level: number
  readonly hasPointer: boolean
  readonly write: Levels<About>[number] | undefined
  readonly error: number
}

/** A union of levels: its discriminant, a pointer, and what is behind it; or null and an error. */
function writeUnion<About>(
  to: NdrWriter,
  { level, hasPointer, write, error }: Union<About>,
  about: About,
): RpcAnswer {
  to.u32(level)
  if (hasPointer) to.pointer(write !== undefined)
  for (const text of write?.(to, about) ?? []) to.string(text)
  to.u32(write ? WIN32.success : error)
  return { stub: to.done() }
}

/** NetrShareGetInfo (3.1.4.10). */
const shareGetInfo =
  <Machine, Listed extends Share>({
    answerTo,
    shares,
    isSameName,
    levelsOfOne,
    branches,
    unknownShare,
    shareRefusal,
  }: ServerService<Machine, Listed>): Operation<Machine> =>
  ({ call, stub }) => {
    const from = ndrReader(stub)
    from.optionalString()
    const name = from.string()
    const level = from.u32()
    if (!from.isIntact) return BAD_STUB
    const share = shares(call.machine, false).find((each) => isSameName(each.name, name))
    const union = { level, hasPointer: branches?.share.has(level) !== false }
    const to = answerTo(from)
    return share
      ? writeUnion(to, { ...union, write: levelsOfOne[level], error: shareRefusal(level, true) }, share)
      : writeUnion(to, { ...union, write: undefined, error: unknownShare }, undefined)
  }

/** NetrServerGetInfo (3.1.4.17). */
const serverGetInfo =
  <Machine, Listed extends Share>({
    answerTo,
    branches,
    server,
    serverLevels,
    serverRefusal,
  }: ServerService<Machine, Listed>): Operation<Machine> =>
  ({ call, stub }) => {
    const from = ndrReader(stub)
    from.optionalString()
    const level = from.u32()
    if (!from.isIntact) return BAD_STUB
    const hasPointer = branches?.server.has(level) !== false
    const union = { level, hasPointer, write: serverLevels[level], error: serverRefusal(level) }
    return writeUnion(answerTo(from), union, server(call.machine))
  }

/** NetrRemoteTOD (3.1.4.21): the clock in UTC. */
const remoteTod =
  <Machine, Listed extends Share>({
    answerTo,
    isStrict,
    clock,
  }: ServerService<Machine, Listed>): Operation<Machine> =>
  ({ call, stub }) => {
    const from = ndrReader(stub)
    from.optionalString()
    if (isStrict && !from.isIntact) return BAD_STUB
    const now = call.context.now()
    const to = answerTo(from)
    writeTimeOfDay(to, now, clock(call.machine, now))
    to.u32(WIN32.success)
    return { stub: to.done() }
  }

export const serverService = <Machine, Listed extends Share>(
  service: ServerService<Machine, Listed>,
): RpcInterface<Machine> => ({
  uuid: uuid('4b324fc8-1670-01d3-1278-5a47bf6ee188'),
  version: 3,
  operations: {
    15: shareEnum(service, false),
    16: shareGetInfo(service),
    21: serverGetInfo(service),
    28: remoteTod(service),
    36: shareEnum(service, true),
  },
})
