// What the SNMP service of Windows shows before anything else of the machine: the system group. It knows no v3.
import type { WindowsEdition } from '../../../machine/windows-edition.ts'
import { systemGroup } from '../protocol/system-group.ts'
import type { ObjectType } from '../protocol/tree.ts'

const WINDOWS = '1.3.6.1.4.1.311.1.1.3.1'

export const windowsObjects = (
  hostName: string,
  { build }: Pick<WindowsEdition, 'build'>,
  isServer: boolean,
  bootedAt: number,
): readonly ObjectType[] =>
  systemGroup({
    description: `Hardware: Intel64 Family 6 Model 85 Stepping 7 AT/AT COMPATIBLE - Software: Windows Version 6.3 (Build ${build} Multiprocessor Free)`,
    product: `${WINDOWS}.${isServer ? 2 : 1}`,
    startedAt: bootedAt,
    contact: '',
    hostName,
    location: '',
    services: 76,
  })
