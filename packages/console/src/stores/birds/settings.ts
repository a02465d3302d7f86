// The settings that a Bird begins with (specification 2.8): every decoy that this release has, on its usual port, switched on.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import type { BirdRow } from './store.ts'

export type BirdSettings = Readonly<Record<string, unknown>>

/** The default personality: whoever commissions a Bird wants decoys that answer. */
export function firstSettings(bird: Pick<BirdRow, 'name' | 'description' | 'mac_address'>): BirdSettings {
  const services = descriptors.flatMap(({ service, settings }) =>
    Object.entries(settings).map(([key, { default: value }]) => [
      key,
      key === `${service}.enabled` ? true : value,
    ]),
  )
  return {
    'device.ad_pubkey': '',
    'device.desc': bird.description,
    'device.dhcp.enabled': true,
    'device.dns1': '',
    'device.dns2': '',
    'device.gw': '',
    'device.ip_address': '',
    'device.ippers': '',
    'device.mac': bird.mac_address,
    'device.name': bird.name,
    'device.netmask': '',
    'device.personality': 'default',
    'device.usermodule': [],
    'firewall.enabled': false,
    'firewall.rulelist': [],
    'remoteupdates.enabled': true,
    'rollback.enabled': true,
    ...(Object.fromEntries(services) as BirdSettings),
  }
}
