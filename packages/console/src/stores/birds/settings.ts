// The settings of a newly commissioned Bird (specification 2.8): every decoy of this release enabled on its usual port.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { defaultSettings, settingDescriptors } from '@rookery/decoys/settings.ts'
import type { BirdRow } from './store.ts'

/** The default personality, with the name that the Bird reported. */
export const initialSettings = (bird: Pick<BirdRow, 'name' | 'description' | 'mac_address'>) =>
  defaultSettings(descriptors, {
    ...Object.fromEntries(descriptors.map(({ service }) => [`${service}.enabled`, true])),
    'device.name': bird.name,
    'device.desc': bird.description,
    'device.mac': bird.mac_address,
  })

const FIXED = new Set(
  Object.entries(settingDescriptors(descriptors)).flatMap(([key, { fixed }]) => (fixed ? [key] : [])),
)

/** The settings without the fixed ones, which no request can change. */
export const changeableSettings = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !FIXED.has(key)))
