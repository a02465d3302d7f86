// Which interfaces answer behind which pipe of a Samba that is no domain controller.
import { dssetup } from './dssetup.ts'
import { lsarpc } from './lsarpc.ts'
import type { RpcInterface } from './rpc.ts'
import { samr } from './samr.ts'
import { srvsvc } from './srvsvc.ts'
import { wkssvc } from './wkssvc.ts'

export interface NamedPipe {
  /** What a bind's answer calls it. */
  readonly address: string
  readonly interfaces: readonly RpcInterface[]
}

const LSASS: NamedPipe = { address: '\\pipe\\lsass', interfaces: [lsarpc, dssetup] }
const NONE: readonly RpcInterface[] = []
const other = (name: string): readonly [string, NamedPipe] => [
  name,
  { address: `\\pipe\\${name}`, interfaces: NONE },
]

/** Those that clients may open, though nothing here answers behind them. */
const PIPES: ReadonlyMap<string, NamedPipe> = new Map([
  ['srvsvc', { address: '\\pipe\\srvsvc', interfaces: [srvsvc] }],
  ['wkssvc', { address: '\\pipe\\wkssvc', interfaces: [wkssvc] }],
  ['lsarpc', LSASS],
  ['samr', { address: '\\pipe\\samr', interfaces: [samr] }],
  ['lsass', LSASS],
  ...[
    'winreg',
    'svcctl',
    'spoolss',
    'eventlog',
    'ntsvcs',
    'epmapper',
    'initshutdown',
    'netdfs',
    'fssagentrpc',
    'mdssvc',
  ].map(other),
])

export const pipeNamed = (name: string): NamedPipe | undefined => PIPES.get(name)
