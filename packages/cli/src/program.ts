// The command with its subcommands. Building it runs none of them.
import { byWord } from '@rookery/kernel/by-word.ts'
import { Command } from 'commander'
import { VERSION } from '@rookery/console/version.ts'

type Add = (program: Command) => void

/** In the order of the help. Each is loaded when it is asked for: the process of a Bird holds no console. */
const COMMANDS = byWord<() => Promise<Add>>({
  up: async () => (await import('./commands/up.ts')).addUp,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  bird: async () => (await import('./commands/bird.ts')).addBird,
  enrol: async () => (await import('./commands/enrol.ts')).addEnrol,
  api: async () => (await import('./commands/api.ts')).addApi,
  tokens: async () => (await import('./commands/tokens.ts')).addTokens,
  key: async () => (await import('./commands/key.ts')).addKeyCommand,
  'setup-link': async () => (await import('./commands/setup-link.ts')).addSetupLink,
  user: async () => (await import('./commands/user.ts')).addUserCommand,
  'api-switch': async () => (await import('./commands/api-switch.ts')).addApiSwitch,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/restore.ts')).addRestore,
  move: async () => (await import('./commands/move.ts')).addMove,
  rekey: async () => (await import('./commands/rekey.ts')).addRekey,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  release: async () => (await import('./commands/release.ts')).addReleaseCommand,
  spool: async () => (await import('./commands/spool.ts')).addSpool,
  package: async () => (await import('./commands/package.ts')).addPackage,
  image: async () => (await import('./commands/image.ts')).addImageCommand,
  'local-bird': async () => (await import('./commands/local-bird.ts')).addLocalBird,
})

export const isCommand = (name: string): boolean => Object.hasOwn(COMMANDS, name)

/** With the subcommand of that name alone; with all of them where there is none. */
export async function buildProgram(name = ''): Promise<Command> {
  const program = new Command('rookery')
    .description('A self-hosted deception console: decoy devices, decoy tokens, incidents and their alerts.')
    .version(VERSION)
    // One line, since a whole help would push the error off the screen.
    .showHelpAfterError('Add --help to see what is possible.')
    // Flags behind a subcommand belong to that: an operation may have a parameter --version.
    .enablePositionalOptions()
  const wanted = isCommand(name) ? [name] : Object.keys(COMMANDS)
  for (const load of wanted.map((each) => COMMANDS[each]!)) (await load())(program)
  return program
}
