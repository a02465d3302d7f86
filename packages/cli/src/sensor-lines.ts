// What a Bird that has started does not see of port scans, and what would change that.
import type { BirdState } from '@rookery/bird/options.ts'

export const sensorLines = (sensors: BirdState['sensors']): string =>
  sensors
    .filter(({ reason }) => reason !== '')
    .map(({ instance, reason }) => `    ${instance}: ${reason}\n`)
    .join('')
