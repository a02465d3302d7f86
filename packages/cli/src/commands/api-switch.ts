// `rookery api-switch on|off`: the API switch, from the console's own machine.
import { Argument, type Command } from 'commander'
import { writeSetting } from '@rookery/console/stores/settings/store.ts'
import { addOptions, configOf } from '../flags.ts'
import { beside } from './beside.ts'

export function addApiSwitch(program: Command): void {
  const command = program
    .command('api-switch')
    .description('switch the whole API on or off')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (state: string, given: Record<string, unknown>) => {
      await beside(configOf(given), ({ writer }) =>
        writer.write((tx) => writeSetting(tx, 'api_enabled', state === 'on' ? 'true' : 'false')),
      )
      process.stdout.write(`The API is ${state}.\n`)
    },
  )
}
