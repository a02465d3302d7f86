// The settings of the device itself (specification 2.8): no service owns them. Pure data; loads in a browser.
import type { SettingDescriptor } from './descriptor.ts'

const text = (title: string, maxLength = 255): SettingDescriptor => ({
  type: 'text',
  default: '',
  title,
  maxLength,
})
const toggle = (title: string, on: boolean): SettingDescriptor => ({ type: 'boolean', default: on, title })
const objects = (title: string): SettingDescriptor => ({ type: 'json', shape: 'objects', default: [], title })

export const deviceSettings: Readonly<Record<string, SettingDescriptor>> = {
  'device.ad_pubkey': text('Public key that joins a directory domain', 4_096),
  'device.desc': text('Description', 1_000),
  'device.dhcp.enabled': toggle('Take the address from the network (DHCP)', true),
  'device.dns1': text('First name server'),
  'device.dns2': text('Second name server'),
  'device.gw': text('Gateway'),
  'device.ip_address': text('Address'),
  'device.ippers': text('Further addresses'),
  'device.mac': { ...text('Hardware address'), fixed: true },
  'device.name': text('Name'),
  'device.netmask': text('Netmask'),
  'device.personality': { type: 'text', default: 'default', title: 'Personality', maxLength: 255 },
  'device.usermodule': objects('Modules of the user'),
  'firewall.enabled': toggle('Filter visitors', false),
  'firewall.rulelist': objects('Rules of the filter: port, rule, source'),
  'portscan.enabled': toggle('Notice port scans', false),
  'remoteupdates.enabled': toggle('Update by itself', true),
  'rollback.enabled': toggle('Go back to the last good settings when the console is out of reach', true),
}
