// The workstation service of Samba.
import { answerTo } from '../../../protocol/pipes/ndr.ts'
import { workstationService } from '../../../protocol/pipes/wkssvc.ts'
import type { SambaMachine } from '../machine.ts'

export const wkssvc = workstationService<SambaMachine>({
  answerTo,
  version: [6, 1],
  names: ({ netbiosName, workgroup }) => [netbiosName, workgroup],
  branches: new Set([100, 101, 102, 502]),
})
