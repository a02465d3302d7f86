// The settings that a Bird begins with (specification 2.8): every decoy that this release has, on its usual port, switched on.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { defaultSettings, settingDescriptors } from '@rookery/decoys/settings.ts'
import type { BirdRow } from './store.ts'

/** The default personality: whoever commissions a Bird wants decoys that answer. */
export const firstSettings = (bird: Pick<BirdRow, 'name' | 'description' | 'mac_address'>) =>
  defaultSettings(descriptors, {
    ...Object.fromEntries(descriptors.map(({ service }) => [`${service}.enabled`, true])),
    'device.name': bird.name,
    'device.desc': bird.description,
    'device.mac': bird.mac_address,
  })

const FIXED = new Set(
  Object.entries(settingDescriptors(descriptors)).flatMap(([key, { fixed }]) => (fixed ? [key] : [])),
)

/** The settings that somebody can change. */
export const changeable = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !FIXED.has(key)))
