// The answer to an enumeration that is for administrators: nothing, and "access denied".
import { ndrWriter } from '../../../protocol/pipes/ndr.ts'
import { WIN32 } from '../../../protocol/pipes/rpc.ts'
import type { Operation } from './rpc.ts'

export const deniedEnum: Operation = () => {
  const to = ndrWriter()
  for (const _ of [0, 1]) to.u32(0)
  to.pointer(false)
  to.u32(0)
  to.pointer(false)
  to.u32(WIN32.accessDenied)
  return { stub: to.done() }
}
