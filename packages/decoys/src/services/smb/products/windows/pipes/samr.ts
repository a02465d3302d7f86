// The account database ([MS-SAMR]). Since Windows 10 1607 and Server 2016 only administrators may connect to it from afar.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { HANDLE_BYTES } from '../../../protocol/pipes/handles.ts'
import { ndrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT, uuid } from '../../../protocol/pipes/rpc.ts'
import type { Operation, RpcInterface } from './rpc.ts'

const connect =
  (name: string, isNewest = false): Operation =>
  ({ call }) => {
    const to = ndrWriter()
    if (isNewest) for (const number of [1, 1, 3, 0]) to.u32(number)
    to.bytes(zeros(HANDLE_BYTES), 4)
    to.u32(STATUS.accessDenied)
    return { stub: to.done(), events: [call.enumerationEvent(name, STATUS.accessDenied)] }
  }

/** Everything else takes a handle that nobody has. */
const needsHandle: Operation = () => ({ fault: FAULT.contextMismatch })
const OTHERS = [1, 2, 3, 5, 6, 7, 8, 11, 13, 15, 16, 17, 18, 19, 25, 33, 34, 36, 39, 40, 46, 47, 48, 51]

export const samr: RpcInterface = {
  uuid: uuid('12345778-1234-abcd-ef00-0123456789ac'),
  version: 1,
  operations: {
    ...Object.fromEntries(OTHERS.map((opnum) => [opnum, needsHandle])),
    0: connect('SamrConnect'),
    57: connect('SamrConnect2'),
    62: connect('SamrConnect4'),
    64: connect('SamrConnect5', true),
  },
}
