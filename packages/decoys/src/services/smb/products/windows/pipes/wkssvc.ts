// The workstation service of Windows.
import type { Machine } from '../machine.ts'
import { workstationService } from '../../../protocol/pipes/wkssvc.ts'
import { deniedEnum } from './denied-enum.ts'
import { answerTo, type RpcInterface } from './rpc.ts'

const service = workstationService<Machine>({
  answerTo,
  version: [10, 0],
  names: ({ names, workgroup }) => [names.netbiosComputer, workgroup],
})

export const wkssvc: RpcInterface = {
  ...service,
  // NetrWkstaUserEnum (3.2.4.3): who is logged on.
  operations: { ...service.operations, 2: deniedEnum },
}
