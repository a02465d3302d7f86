// Settings that the Bird cannot use at all, such as those of a newer console: what stood before goes on, and if the console
// has sent none that can be used for a minute, that is an event like that of decoys which do not listen.
import type { Clock } from '@rookery/kernel/world.ts'

const REPORT_AFTER_MS = 60_000

export interface RefusedSettings {
  readonly tag: string
  /** A phrase. */
  readonly reason: string
}

export interface SettingsRefusals {
  /** The console wants settings that cannot be used, or whose bundle is broken. */
  note(refused: RefusedSettings): void
  /** The settings that the console wants are in force, or the Bird stops. */
  end(): void
}

/** `onLasting` is called once for each bundle, however often it is offered. */
export function settingsRefusals(
  clock: Clock,
  onLasting: (refused: RefusedSettings) => void,
): SettingsRefusals {
  let latest: RefusedSettings | undefined
  let cancel = (): void => {}

  function end(): void {
    cancel()
    latest = undefined
  }

  return {
    note(refused: RefusedSettings) {
      const isKnown = latest?.tag === refused.tag
      if (!isKnown) end()
      latest = refused
      if (!isKnown) cancel = clock.after(REPORT_AFTER_MS, () => void (latest && onLasting(latest)))
    },
    end,
  }
}
