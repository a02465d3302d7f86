// NetrRemoteTOD ([MS-SRVS] 2.2.4.105): the clock of the server, in UTC.
import type { NdrWriter } from './ndr.ts'

export interface Clock {
  readonly uptimeMs: number
  readonly hundredths: number
  /** Between two looks of the clock, as the server says it. */
  readonly tick: number
}

export function writeTimeOfDay(to: NdrWriter, now: number, { uptimeMs, hundredths, tick }: Clock): void {
  const at = new Date(now)
  to.pointer()
  const fields = [
    Math.floor(now / 1_000),
    uptimeMs,
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    hundredths,
    // The time zone: UTC.
    0,
    tick,
    at.getUTCDate(),
    at.getUTCMonth() + 1,
    at.getUTCFullYear(),
    at.getUTCDay(),
  ]
  for (const field of fields) to.u32(field)
}
