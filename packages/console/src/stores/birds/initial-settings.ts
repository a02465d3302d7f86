// The settings of a newly commissioned Bird: the starting personality, with the name that the Bird reported.
import { STARTING_PERSONALITY, personalitySettings } from '@rookery/decoys/settings/personalities.ts'
import { wholeSettings, type Settings } from './settings.ts'
import type { BirdRow } from './store.ts'

export const initialSettings = (
  bird: Pick<BirdRow, 'name' | 'description' | 'mac_address' | 'version'>,
): Settings =>
  wholeSettings(bird.version, {
    ...personalitySettings(STARTING_PERSONALITY),
    'device.name': bird.name,
    'device.desc': bird.description,
    'device.mac': bird.mac_address,
    'device.personality': STARTING_PERSONALITY.name,
  })
