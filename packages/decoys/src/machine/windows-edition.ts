// The versions of Windows that a machine can claim to be, by `smb.mode`.
import { byWord } from '@rookery/kernel/by-word.ts'

export interface WindowsEdition {
  readonly title: string
  /** Of NTLM's version field ([MS-NLMP] 2.2.2.10). */
  readonly build: number
  /** How a name begins that Windows gives a new machine, and how many characters follow. */
  readonly namePrefix: string
  readonly nameLength: number
  /** SV_TYPE bits of srvsvc ([MS-SRVS] 2.2.2.7). */
  readonly serverType: number
}

const SERVER_2019: WindowsEdition = {
  title: 'Windows Server 2019',
  build: 17_763,
  namePrefix: 'WIN-',
  nameLength: 11,
  serverType: 0x9003,
}

const EDITIONS = byWord<WindowsEdition>({
  'windows-server-2019': SERVER_2019,
  'windows-10': {
    title: 'Windows 10',
    build: 19_041,
    namePrefix: 'DESKTOP-',
    nameLength: 7,
    serverType: 0x1003,
  },
})

export const windowsEdition = (mode: unknown): WindowsEdition => EDITIONS[String(mode)] ?? SERVER_2019
