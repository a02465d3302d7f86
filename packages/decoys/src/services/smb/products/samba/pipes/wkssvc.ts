// The workstation service ([MS-WKST]) of Samba: which machine this is, and of which workgroup.
import { FAULT, uuid, WIN32 } from '../../../protocol/pipes/rpc.ts'
import { answerTo, requestReader } from './ndr-answer.ts'
import type { Operation, RpcInterface } from './rpc.ts'

const PLATFORM_NT = 500
const VERSION = [6, 1] as const
const LEVELS = new Set([100, 101, 102, 502])

/** NetrWkstaGetInfo (3.2.4.1): levels 101 and 102 are for administrators. */
const workstationGetInfo: Operation = ({ call, stub }) => {
  const from = requestReader(stub)
  from.optionalString()
  const level = from.u32()
  if (!from.isIntact) return { fault: FAULT.badStub }
  const isKnown = level === 100
  const to = answerTo(from)
  to.u32(level)
  if (LEVELS.has(level)) to.pointer(isKnown)
  if (isKnown) {
    const { netbiosName, workgroup } = call.machine
    to.u32(PLATFORM_NT)
    to.pointer()
    to.pointer()
    for (const number of VERSION) to.u32(number)
    to.string(netbiosName)
    to.string(workgroup)
  }
  const isDenied = level === 101 || level === 102
  to.u32(isKnown ? WIN32.success : isDenied ? WIN32.accessDenied : WIN32.invalidLevel)
  return { stub: to.done() }
}

export const wkssvc: RpcInterface = {
  uuid: uuid('6bffd098-a112-3610-9833-46c3f87e345a'),
  version: 1,
  operations: { 0: workstationGetInfo },
}
