// What role a machine has in a domain ([MS-DSSP] 3.2.5.1): a Samba that is no domain controller stands alone.
import { zeros } from '../../../../../windows/fields.ts'
import { answerTo, ndrReader } from '../../../protocol/pipes/ndr.ts'
import { FAULT, uuid } from '../../../protocol/pipes/rpc.ts'
import type { Operation, RpcInterface } from './rpc.ts'

const STANDALONE_SERVER = 2
const GUID_BYTES = 16
/** ERROR_INVALID_LEVEL ([MS-ERREF] 2.2). */
const INVALID_LEVEL = 124
const LEVEL = { domain: 1, upgrade: 2, operation: 3 } as const

const getPrimaryDomainInformation: Operation = ({ call: { machine }, stub }) => {
  const from = ndrReader(stub)
  const level = from.u16()
  const isLevel = level === LEVEL.domain || level === LEVEL.upgrade || level === LEVEL.operation
  if (!from.isIntact || !isLevel) return { fault: FAULT.badStub }
  const to = answerTo(from)
  to.pointer()
  to.u16(level)
  switch (level) {
    case LEVEL.domain:
      to.u32(STANDALONE_SERVER)
      to.u32(0)
      to.pointer()
      to.pointer(false)
      to.pointer(false)
      to.bytes(zeros(GUID_BYTES), 4)
      to.string(machine.netbiosName)
      to.u32(0)
      break
    case LEVEL.upgrade:
      to.u32(0)
      to.u16(0)
      to.u32(INVALID_LEVEL)
      break
    case LEVEL.operation:
      to.u16(0)
      to.u32(INVALID_LEVEL)
  }
  return { stub: to.done() }
}

export const dssetup: RpcInterface = {
  uuid: uuid('3919286a-b10c-11d0-9ba8-00c04fd92ef5'),
  version: 0,
  operations: { 0: getPrimaryDomainInformation },
}
