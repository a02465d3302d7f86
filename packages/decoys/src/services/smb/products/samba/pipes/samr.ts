// The account database ([MS-SAMR]) of Samba, which everyone may ask.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../codec/status.ts'
import { uuid } from '../../../pipes/rpc.ts'
import { closeHandle, HANDLE_BYTES, newHandle } from './handles.ts'
import { answerTo, requestReader } from './ndr-answer.ts'
import type { Operation, RpcInterface } from './rpc.ts'

const connect =
  (name: string, isNewest = false): Operation =>
  (rpc) => {
    const to = answerTo(requestReader(Buffer.alloc(0)))
    if (isNewest) for (const number of [1, 1, 3, 0]) to.u32(number)
    const made = newHandle(rpc, 'server')
    const status = made ? STATUS.success : STATUS.insufficientResources
    to.bytes(made?.handle ?? zeros(HANDLE_BYTES), 4)
    to.u32(status)
    return { stub: to.done(), events: [rpc.call.enumerationEvent(name, status)], ...(made && { handles: made.handles }) }
  }

export const samr: RpcInterface = {
  uuid: uuid('12345778-1234-abcd-ef00-0123456789ac'),
  version: 1,
  operations: {
    0: connect('SamrConnect'),
    1: closeHandle,
    57: connect('SamrConnect2'),
    62: connect('SamrConnect4'),
    64: connect('SamrConnect5', true),
  },
}
