// Opens the console for a command, with its options, its world and its log.
import type { Logger } from 'pino'
import { openConsole, type Console } from '@rookery/console/build.ts'
import { PARTS, type Part } from '@rookery/console/parts/part.ts'
import type { Config } from '@rookery/console/config/config.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { openRealWorld } from '@rookery/console/world/real.ts'
import { withListenOption } from '../explain.ts'
import { openLog } from '../log.ts'

export interface OpenedConsole {
  readonly console: Console
  readonly log: Logger
}

export async function openConsoleOf(config: Config, parts?: readonly Part[]): Promise<OpenedConsole> {
  const log = openLog(config.ROOKERY_LOG, process.stderr.isTTY)
  const world = openRealWorld(config)
  try {
    return { console: await openConsole({ config, world, log, ...(parts && { parts }) }), log }
  } catch (error) {
    throw withListenOption(error, config)
  }
}

/** `api,tokens` as parts. A `bad-input` fault for a wrong name lists the right ones. */
export function readParts(text: string): Part[] {
  return text.split(',').map((name) => {
    const part = PARTS.find((known) => known === name.trim())
    if (!part)
      throw new Fault(
        'bad-input',
        `--parts must be some of ${PARTS.join(', ')}, not ${JSON.stringify(name)}.`,
      )
    return part
  })
}
