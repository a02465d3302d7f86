// Opens the console of a command: options, world, log.
import type { Logger } from 'pino'
import { openConsole, type Console } from '@rookery/console/build.ts'
import { PARTS, type Part } from '@rookery/console/parts/part.ts'
import type { Config } from '@rookery/console/config.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { openRealWorld } from '@rookery/console/world/real.ts'
import { openLog } from '../log.ts'

export interface Opened {
  readonly console: Console
  readonly log: Logger
}

export async function openFrom(config: Config, parts?: readonly Part[]): Promise<Opened> {
  const log = openLog(config.ROOKERY_LOG, process.stderr.isTTY)
  const world = openRealWorld(config)
  return { console: await openConsole({ config, world, log, ...(parts && { parts }) }), log }
}

/** `api,tokens` as parts; a wrong name is a fault that says which there are. */
export function readParts(text: string): Part[] {
  return text.split(',').map((name) => {
    const part = PARTS.find((known) => known === name.trim())
    if (!part) throw new Fault('bad-input', `--parts knows ${PARTS.join(', ')}, not ${JSON.stringify(name)}.`)
    return part
  })
}
