// Listeners that a console can do without.
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { OPTIONS, type OptionName } from '../config/options.ts'

/**
 * Opens what listens at the address of the option; undefined where that is `off`. An address that was asked for and is taken
 * stops the start; the default one stays closed, and the log says so.
 */
export async function openListener<T>(
  option: OptionName,
  config: Config,
  log: Logger,
  open: (at: string) => Promise<T>,
): Promise<T | undefined> {
  const at = config[option]
  if (at === 'off') return undefined
  try {
    return await open(at)
  } catch (error) {
    if (at !== OPTIONS[option].default) throw error
    log.warn(
      { err: error, at, option },
      'a listener for tokens is closed: its default address cannot be opened',
    )
    return undefined
  }
}
