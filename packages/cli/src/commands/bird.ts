// `rookery bird`: a Bird on its own, bound to a console elsewhere.
import { join } from 'node:path'
import type { Command } from 'commander'
import type { BirdState } from '@rookery/bird/options.ts'
import { addOptions, configOf } from '../flags.ts'
import { openLog } from '../log.ts'
import { untilStopped } from '../stop.ts'

export function addBird(program: Command): void {
  const command = program
    .command('bird')
    .description('run a Bird for a console')
    .requiredOption('--console <url>', 'address of the console, such as https://console.example.org')
    .option('--enrol <code>', 'enrolment code that commissions it by itself')
  addOptions(command, [
    'ROOKERY_DATA_DIR',
    'ROOKERY_BIRD_BIND',
    'ROOKERY_BIRD_PORT_OFFSET',
    'ROOKERY_LOG',
  ]).action(async (given: Record<string, unknown>) => {
    const config = configOf(given)
    const log = openLog(config.ROOKERY_LOG, process.stderr.isTTY)
    let told = ''
    const { startBird } = await import('@rookery/bird/start.ts')
    const bird = await startBird({
      consoleUrl: String(given['console']),
      enrol: given['enrol'] as string | undefined,
      dataDir: join(config.ROOKERY_DATA_DIR, 'bird'),
      bind: config.ROOKERY_BIRD_BIND,
      portOffset: Number(config.ROOKERY_BIRD_PORT_OFFSET || 0),
      log: (level, message) => log[level === 'warning' ? 'warn' : level](message),
      onChange: (state) => {
        const text = sayState(state)
        if (text !== told) process.stdout.write(text)
        told = text
      },
    })
    const stopped = untilStopped(bird.stop)
    const ended = bird.ended.then((ending) => (ending === 'stopped' ? stopped : 0))
    process.exitCode = await Promise.race([stopped, ended])
    // A Bird that its console ended has nothing left to wait for.
    process.exit()
  })
}

function sayState({ phase, pairingPhrase, nodeId, listening }: BirdState): string {
  if (phase === 'pending') return `Waiting to be commissioned. Compare the words: ${pairingPhrase ?? ''}\n`
  if (phase !== 'registered' || listening.length === 0) return ''
  const ports = listening.map(({ instance, boundPort }) => `${instance} ${boundPort}`)
  return `Bird ${nodeId ?? ''} stands: ${ports.join(', ')}\n`
}
