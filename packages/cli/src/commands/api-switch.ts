// `rookery api-switch on|off`: the API switch, on the machine of the console.
import { Argument, type Command } from 'commander'
import { systemEntry } from '@rookery/console/stores/audit/system-entry.ts'
import { writeSetting } from '@rookery/console/stores/settings/store.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

export function addApiSwitch(program: Command): void {
  const command = program
    .command('api-switch')
    .description('switch the whole API on or off')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (state: string, flags: Record<string, unknown>) => {
      const isOn = state === 'on'
      const action = isOn ? 'api_keys.enable_api' : 'api_keys.disable_api'
      await runOffline(configOf(flags), ({ writer, world }) =>
        writer.write(
          (tx) => writeSetting(tx, 'api_enabled', String(isOn)),
          'care',
          () => [
            systemEntry(world.clock, 'local', action, isOn ? 'Enable all API keys' : 'Disable all API keys'),
          ],
        ),
      )
      process.stdout.write(`The API is ${state}.\n`)
    },
  )
}
