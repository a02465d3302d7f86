// Which kind of machine the settings of a Bird show. Its names follow from it.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { BirdSettings } from '../session/session.ts'

export type MachineKind =
  | 'linux'
  | 'nas'
  | 'phone-system'
  | 'plc'
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

/** Skins of machines that SNMP shows as well, whether or not their pages are there. */
const HAS_OWN_AGENT: ReadonlySet<string> = new Set(['printer', 'router'])

export function machineKind(settings: BirdSettings): MachineKind {
  const isOn = (service: string): boolean => settings[`${service}.enabled`] === true
  const isWindowsShare = isOn('smb') && settings['smb.mode'] !== 'samba'
  if (isWindowsShare || isOn(SQL_SERVER)) return windowsKind(settings)
  const skin = String(settings['http.skin'])
  const isShown = isOn('http') || isOn('https') || (isOn('snmp') && HAS_OWN_AGENT.has(skin))
  const ofSkin = isShown ? KIND_OF_SKIN[skin] : undefined
  return ofSkin ?? (isOn('modbus') ? 'plc' : isOn('sip') ? 'phone-system' : 'linux')
}

const windowsKind = (settings: BirdSettings): MachineKind =>
  settings['smb.mode'] === 'windows-10' ? 'windows-workstation' : 'windows-server'
