// `rookery setup-link`: prints another link that makes the first user, also while a console is serving.
import type { Command } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import { signInUrl } from '@rookery/console/parts/console-https.ts'
import { makeSetupCode } from '@rookery/console/setup/setup-ticket.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

export function addSetupLink(program: Command): void {
  const command = program
    .command('setup-link')
    .description('print another link that makes the first user; it works once, within 30 minutes')
  addOptions(command, [
    'ROOKERY_DATA_DIR',
    'ROOKERY_DATABASE_URL',
    'ROOKERY_MASTER_KEY',
    'ROOKERY_LISTEN',
    'ROOKERY_TLS_LISTEN',
    'ROOKERY_PUBLIC_URL',
  ]).action(async (flags: Record<string, unknown>) => {
    const config = configOf(flags)
    const code = await runOffline(config, makeSetupCode)
    if (code === undefined)
      throw new Fault(
        'conflict',
        'There is a user already: sign in. `rookery user list` shows who can, `rookery user password <email>` sets a new password.',
      )
    const url = signInUrl(config, config.ROOKERY_LISTEN, config.ROOKERY_TLS_LISTEN || undefined)
    process.stdout.write(`${url}/setup#${code}\n`)
  })
}
