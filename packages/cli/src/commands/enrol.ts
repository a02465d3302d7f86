// `rookery enrol`: makes an enrolment code, on the machine of the console.
import type { Command } from 'commander'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { parseSpan } from '@rookery/kernel/time.ts'
import { createEnrolment } from '@rookery/console/channels/link/enrol.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

export function addEnrol(program: Command): void {
  const command = program
    .command('enrol')
    .description('make an enrolment code and print it: a Bird that has it is commissioned at once')
    .option('--flock <id>', 'the Flock of its Birds', DEFAULT_FLOCK)
    .option('--uses <n>', 'how many Birds may use it', '1')
    .option('--lifetime <span>', 'how long it is valid, such as 12h, 3d or 1w', '1d')
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (flags: Record<string, unknown>) => {
      const asked = {
        flockId: String(flags['flock']),
        uses: readUses(String(flags['uses'])),
        lifetimeMs: parseSpan(String(flags['lifetime']), 'lifetime'),
      }
      const code = await runOffline(configOf(flags), (base) => createEnrolment(base, asked))
      process.stdout.write(`${code}\n`)
    },
  )
}

/** A number of any size; `createEnrolment` says which are right. */
function readUses(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Fault('bad-input', `--uses must be a whole number, such as 20, not ${JSON.stringify(text)}.`)
}
