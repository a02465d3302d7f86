// The workstation service ([MS-WKST]): which machine this is, and of which domain.
import { deniedEnum } from '../../../protocol/pipes/denied-enum.ts'
import { ndrReader, ndrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, uuid, WIN32, type Operation, type RpcInterface } from '../../../protocol/pipes/rpc.ts'

const PLATFORM_NT = 500

/** NetrWkstaGetInfo (3.2.4.1): levels 101 and 102 are for administrators. */
const workstationGetInfo: Operation = ({ call, stub }) => {
  const from = ndrReader(stub)
  from.optionalString()
  const level = from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const isKnown = level === 100
  const to = ndrWriter()
  to.u32(level)
  to.pointer(isKnown)
  if (isKnown) {
    to.u32(PLATFORM_NT)
    to.pointer()
    to.pointer()
    to.u32(10)
    to.u32(0)
    to.string(call.machine.names.netbiosComputer)
    to.string(call.machine.workgroup)
  }
  const isDenied = level === 101 || level === 102
  to.u32(isKnown ? WIN32.success : isDenied ? WIN32.accessDenied : WIN32.invalidLevel)
  return { stub: to.done() }
}

export const wkssvc: RpcInterface = {
  uuid: uuid('6bffd098-a112-3610-9833-46c3f87e345a'),
  version: 1,
  // NetrWkstaUserEnum (3.2.4.3): who is logged on.
  operations: { 0: workstationGetInfo, 2: deniedEnum },
}
