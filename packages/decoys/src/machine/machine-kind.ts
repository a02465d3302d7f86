// Which kind of machine the settings of a Bird show. Its names follow from it.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { BirdSettings } from '../session/session.ts'

export type MachineKind =
  | 'linux'
  | 'nas'
  | 'phone-system'
  | 'printer'
  | 'router'
  | 'windows-server'
  | 'windows-workstation'

/** Only Windows has it. A share is one of Windows, too, unless Samba serves it. */
const SQL_SERVER = 'dbsrv_a'
/** Skins that show another machine than a Linux server. */
const KIND_OF_SKIN = byWord<MachineKind>({
  'iis-default': 'windows-server',
  nas: 'nas',
  printer: 'printer',
  router: 'router',
})

export function machineKind(settings: BirdSettings): MachineKind {
  const isOn = (service: string): boolean => settings[`${service}.enabled`] === true
  const isWindowsShare = isOn('smb') && settings['smb.mode'] !== 'samba'
  if (isWindowsShare || isOn(SQL_SERVER)) return windowsKind(settings)
  const skin = isOn('http') || isOn('https') ? settings['http.skin'] : undefined
  return KIND_OF_SKIN[String(skin)] ?? (isOn('sip') ? 'phone-system' : 'linux')
}

const windowsKind = (settings: BirdSettings): MachineKind =>
  settings['smb.mode'] === 'windows-10' ? 'windows-workstation' : 'windows-server'
