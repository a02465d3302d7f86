// Which interfaces answer behind which pipe. On Windows all of lsass's stand behind each of its pipes.
import { byWord } from '@rookery/kernel/by-word.ts'
import { lsarpc } from './lsarpc.ts'
import type { RpcInterface } from './rpc.ts'
import { samr } from './samr.ts'
import { srvsvc } from './srvsvc.ts'
import { wkssvc } from './wkssvc.ts'

const LSASS = [lsarpc, samr]
const PIPES = byWord<readonly RpcInterface[]>({
  srvsvc: [srvsvc],
  wkssvc: [wkssvc],
  lsarpc: LSASS,
  samr: LSASS,
  lsass: LSASS,
})

export const interfacesOf = (pipe: string): readonly RpcInterface[] | undefined =>
  Object.hasOwn(PIPES, pipe) ? PIPES[pipe] : undefined
