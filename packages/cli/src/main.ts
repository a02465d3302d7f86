// The `rookery` command.
import { Command, CommanderError } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import { VERSION } from '@rookery/console/version.ts'
import { addApiSwitch } from './commands/api-switch.ts'
import { addBackup } from './commands/backup.ts'
import { addBird } from './commands/bird.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEnrol } from './commands/enrol.ts'
import { addKeyCommand } from './commands/key.ts'
import { addRestore } from './commands/restore.ts'
import { addServe } from './commands/serve.ts'
import { addUp } from './commands/up.ts'
import { explain } from './explain.ts'
import { inSources } from './trace.ts'

const program = new Command('rookery')
  .description('A self-hosted deception console: decoy devices, decoy tokens, incidents and their alerts.')
  .version(VERSION)
  .showHelpAfterError()

for (const add of [
  addUp,
  addServe,
  addBird,
  addEnrol,
  addKeyCommand,
  addApiSwitch,
  addBackup,
  addRestore,
  addDoctor,
])
  add(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    process.stderr.write(`${explain(error)}\n`)
    // A fault is the user's to mend; anything else is ours, and shows where it comes from.
    if (!(error instanceof Fault)) process.stderr.write(`${inSources((error as Error).stack ?? '')}\n`)
    process.exitCode = 1
    process.exit()
  }
}
