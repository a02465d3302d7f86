// Why a Bird's newest settings are not wholly in force, as one text.
import type { BirdRow } from '../../stores/birds/store.ts'

/** Empty when every decoy listens under the newest settings; else `ssh: port 22 is in use; ftp: port 21 is in use`. */
export function settingsFailure(bird: Pick<BirdRow, 'settings_failure' | 'not_standing'>): string {
  const { settings_failure, not_standing } = bird
  if (not_standing === '') return settings_failure
  const reasons = Object.entries(JSON.parse(not_standing) as Record<string, string>).map(
    ([service, reason]) => `${service}: ${reason}`,
  )
  return [settings_failure, ...reasons].filter((text) => text !== '').join('; ')
}
