// How long the settings of one Bird may be.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Settings } from './settings.ts'

/** The settings of one Bird, as JSON. */
const SETTINGS_BYTES = limit('settings_bytes', 1024 * 1024)

/** Throws `bad-input` when its JSON is longer than 1 MiB. */
export function checkSize(parameter: string, settings: Settings): void {
  const size = Buffer.byteLength(JSON.stringify(settings))
  if (size <= SETTINGS_BYTES.max) return
  SETTINGS_BYTES.hit()
  throw invalidParameter(parameter, `must be at most ${SETTINGS_BYTES.max} bytes of JSON, not ${size}`)
}
