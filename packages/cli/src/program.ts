// The command with all its subcommands. Building it runs none of them.
import { Command } from 'commander'
import { VERSION } from '@rookery/console/version.ts'
import { addApi } from './commands/api.ts'
import { addApiSwitch } from './commands/api-switch.ts'
import { addBackup } from './commands/backup.ts'
import { addBird } from './commands/bird.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEnrol } from './commands/enrol.ts'
import { addKeyCommand } from './commands/key.ts'
import { addLocalBird } from './commands/local-bird.ts'
import { addRekey } from './commands/rekey.ts'
import { addRestore } from './commands/restore.ts'
import { addServe } from './commands/serve.ts'
import { addSpool } from './commands/spool.ts'
import { addTokens } from './commands/tokens.ts'
import { addUp } from './commands/up.ts'

export function buildProgram(): Command {
  const program = new Command('rookery')
    .description('A self-hosted deception console: decoy devices, decoy tokens, incidents and their alerts.')
    .version(VERSION)
    // One line, since a whole help would push the error off the screen.
    .showHelpAfterError('Add --help to see what is possible.')
    // Flags behind a subcommand belong to that: an operation may have a parameter --version.
    .enablePositionalOptions()
  for (const add of [
    addUp,
    addServe,
    addBird,
    addEnrol,
    addApi,
    addTokens,
    addKeyCommand,
    addApiSwitch,
    addBackup,
    addRestore,
    addRekey,
    addDoctor,
    addSpool,
    addLocalBird,
  ])
    add(program)
  return program
}
