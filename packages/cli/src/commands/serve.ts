// `rookery serve`: the console, or parts of it, without a Bird.
import type { Command } from 'commander'
import { addOptions, configOf } from '../flags.ts'
import { saveMemory } from '../memory-saver.ts'
import { consoleMessage } from '../start-message.ts'
import { supervised } from '../supervisor/supervised.ts'
import { untilStopped } from '../until-stopped.ts'
import { startWatchdog } from '../watchdog/watchdog.ts'
import { openConsoleOf, readParts } from './open-console.ts'

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('run the console without a local Bird')
    .option('--parts <names>', 'only these parts, separated by commas: api, tokens, link')
  addOptions(command).action(async (flags: Record<string, unknown>) => {
    saveMemory()
    const tellStarted = supervised()
    const config = configOf(flags)
    const parts = flags['parts'] === undefined ? undefined : readParts(String(flags['parts']))
    const { console } = await openConsoleOf(config, parts)
    // Before the message: a reader of it may send a signal at once.
    const stopped = untilStopped(console.stop)
    startWatchdog()
    tellStarted()
    process.stdout.write(consoleMessage(console, config.ROOKERY_BOOTSTRAP_KEY !== ''))
    process.exitCode = await stopped
  })
}
