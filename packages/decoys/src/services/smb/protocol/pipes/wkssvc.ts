// The workstation service ([MS-WKST]): which machine this is, and of which workgroup or domain.
import { ndrReader, type NdrReader, type NdrWriter } from './ndr.ts'
import { FAULT, uuid, WIN32, type Operation, type RpcInterface } from './rpc.ts'

const PLATFORM_NT = 500

interface WorkstationService<Machine> {
  readonly answerTo: (from: NdrReader) => NdrWriter
  readonly version: readonly [major: number, minor: number]
  /** Its name, and its workgroup. */
  readonly names: (machine: Machine) => readonly [string, string]
  /** Levels that its union has a branch for; all, if it does not say. */
  readonly branches?: ReadonlySet<number>
}

/** NetrWkstaGetInfo (3.2.4.1): levels 101 and 102 are for administrators. */
const workstationGetInfo =
  <Machine>({ answerTo, version, names, branches }: WorkstationService<Machine>): Operation<Machine> =>
  ({ call, stub }) => {
    const from = ndrReader(stub)
    from.optionalString()
    const level = from.u32()
    if (!from.isIntact) return { fault: FAULT.badStub }
    const isKnown = level === 100
    const to = answerTo(from)
    to.u32(level)
    if (branches?.has(level) !== false) to.pointer(isKnown)
    if (isKnown) {
      to.u32(PLATFORM_NT)
      to.pointer()
      to.pointer()
      for (const number of version) to.u32(number)
      for (const name of names(call.machine)) to.string(name)
    }
    const isDenied = level === 101 || level === 102
    to.u32(isKnown ? WIN32.success : isDenied ? WIN32.accessDenied : WIN32.invalidLevel)
    return { stub: to.done() }
  }

export const workstationService = <Machine>(service: WorkstationService<Machine>): RpcInterface<Machine> => ({
  uuid: uuid('6bffd098-a112-3610-9833-46c3f87e345a'),
  version: 1,
  operations: { 0: workstationGetInfo(service) },
})
