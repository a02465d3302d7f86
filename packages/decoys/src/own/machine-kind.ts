// Which kind of machine the settings of a Bird show. Its names follow from it.
import type { BirdSettings } from '../session.ts'

export type MachineKind = 'linux' | 'nas' | 'printer' | 'router' | 'windows-server' | 'windows-workstation'

/** Only Windows has them. */
const WINDOWS_SERVICES = ['smb', 'dbsrv_a']
/** Skins that show another machine than a Linux server. */
const KIND_OF_SKIN: Readonly<Record<string, MachineKind>> = {
  'iis-default': 'windows-server',
  nas: 'nas',
  printer: 'printer',
  router: 'router',
}

export function machineKind(settings: BirdSettings): MachineKind {
  const isOn = (service: string): boolean => settings[`${service}.enabled`] === true
  if (WINDOWS_SERVICES.some(isOn)) return windowsKind(settings)
  const skin = isOn('http') || isOn('https') ? settings['http.skin'] : undefined
  return KIND_OF_SKIN[String(skin)] ?? 'linux'
}

const windowsKind = (settings: BirdSettings): MachineKind =>
  settings['smb.mode'] === 'windows-10' ? 'windows-workstation' : 'windows-server'
