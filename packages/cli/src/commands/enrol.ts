// `rookery enrol`: a code that commissions Birds by itself, made on the console's own machine.
import type { Command } from 'commander'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import { parseSpan } from '@rookery/kernel/time.ts'
import { createEnrolment } from '@rookery/console/channels/link/enrol.ts'
import { addOptions, configOf } from '../flags.ts'
import { beside } from './beside.ts'

export function addEnrol(program: Command): void {
  const command = program
    .command('enrol')
    .description('make an enrolment code and print it: a Bird that brings it needs nobody to commission it')
    .option('--flock <id>', 'the Flock that its Birds join', DEFAULT_FLOCK)
    .option('--uses <n>', 'how many Birds it may bring in', '1')
    .option('--lifetime <span>', 'how long it is good for, such as 12h, 3d or 1w', '1d')
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (given: Record<string, unknown>) => {
      const code = await beside(configOf(given), (base) =>
        createEnrolment(base, {
          flockId: String(given['flock']),
          uses: Number(given['uses']),
          lifetimeMs: parseSpan(String(given['lifetime']), 'lifetime'),
        }),
      )
      process.stdout.write(`${code}\n`)
    },
  )
}
