// `rookery key add`: makes an API key on the machine of the console, also while that is serving.
import type { Command } from 'commander'
import { newKey, newKeyId } from '@rookery/kernel/ids.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { systemEntry } from '@rookery/console/stores/audit/system-entry.ts'
import { createKey } from '@rookery/console/stores/keys/create.ts'
import { systemRandom } from '@rookery/console/world/system.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

const TYPES = ['indicators', 'read-only', 'analyst', 'admin'] as const

export function addKeyCommand(program: Command): void {
  const command = program
    .command('key')
    .description('API keys')
    .command('add')
    .description('make an API key and print it')
    .requiredOption('--type <type>', TYPES.join(', '))
    .requiredOption('--note <text>', 'its purpose')
  addOptions(command, [
    'ROOKERY_DATA_DIR',
    'ROOKERY_DATABASE_URL',
    'ROOKERY_MASTER_KEY',
    'ROOKERY_KEYS',
  ]).action(async (flags: Record<string, unknown>) => {
    const type = TYPES.find((known) => known === flags['type'])
    if (!type)
      throw new Fault(
        'bad-input',
        `--type must be one of ${TYPES.join(', ')}, not ${JSON.stringify(flags['type'])}.`,
      )
    const config = configOf(flags)
    const key = newKey(systemRandom)
    const keyId = newKeyId(systemRandom)
    const note = String(flags['note'])
    await runOffline(config, ({ writer, vault, world }) =>
      writer.write(
        (tx) =>
          createKey(tx, vault, {
            keyId,
            key,
            type,
            note,
            createdAt: world.clock.now(),
            createdBy: 'console',
            keep: config.ROOKERY_KEYS === 'recoverable',
          }),
        'care',
        () => [
          systemEntry(world.clock, 'local', 'api_keys.add', 'Create an API key', {
            auth_token_type: type,
            note,
            key_id: keyId,
          }),
        ],
      ),
    )
    process.stdout.write(`${key}\n`)
  })
}
