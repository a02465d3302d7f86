// `rookery serve`: the console, or parts of it, without a Bird.
import type { Command } from 'commander'
import { addOptions, configOf } from '../flags.ts'
import { consoleGreeting } from '../greeting.ts'
import { untilStopped } from '../stop.ts'
import { openFrom, readParts } from './open.ts'

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('run the console without a local Bird')
    .option('--parts <names>', 'only these parts, separated by commas: api, tokens, link')
  addOptions(command).action(async (given: Record<string, unknown>) => {
    const config = configOf(given)
    const parts = given['parts'] === undefined ? undefined : readParts(String(given['parts']))
    const { console } = await openFrom(config, parts)
    // Whoever reads the greeting may stop it at once.
    const stopped = untilStopped(console.stop)
    process.stdout.write(consoleGreeting(console, config.ROOKERY_BOOTSTRAP_KEY !== ''))
    process.exitCode = await stopped
  })
}
