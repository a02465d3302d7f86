// The options and the commands, as pages.
import type { Command } from 'commander'
import { buildProgram } from '@rookery/cli/program.ts'
import type { Option } from '@rookery/console/config/option.ts'
import { CLIENT_VARIABLES, OPTIONS } from '@rookery/console/config/options.ts'
import { block, code, page, stacked, table, type Page } from './markdown.ts'

export const optionsPage = (): Page =>
  page('options.md', 'Options', 'What can be set, by flag or by environment variable.', [
    'A flag wins over the variable. Every command takes those flags that it needs (see [Commands](commands.md)).',
    'A secret is never shown. It is read from its variable, or from the file whose path its flag or its variable with `_FILE` behind it names: `--master-key-file`, `ROOKERY_MASTER_KEY_FILE`.',
    table(
      ['Flag', 'Variable', 'Default', 'What it is for', 'Accepts'],
      Object.entries<Option>(OPTIONS).map(([name, { flag, default: fallback, title, wants, secret }]) => [
        code(flag),
        code(name),
        fallback === '' ? 'none' : code(fallback),
        secret === true ? `${title} (secret)` : title,
        wants,
      ]),
    ),
    'Programs that call a console read these, which are no options of the console:',
    table(
      ['Variable', 'What it is for'],
      Object.entries(CLIENT_VARIABLES).map(([name, about]) => [code(name), about]),
    ),
  ])

const program = await buildProgram()

export const commandsPage = (): Page =>
  page('commands.md', 'Commands', 'What `rookery` can do.', [
    'In a clone: `npx rookery …`. Flags that name a variable are those of [Options](options.md).',
    ...leavesOf(program).map(([path, command]) => section(path, command)),
  ])

/** Every listed command that does something, with the words that lead to it. */
function leavesOf(command: Command, path = ''): [string, Command][] {
  const here = `${path} ${command.name()}`.trim()
  const shown = command.createHelp().visibleCommands(command)
  return command.commands.length === 0
    ? [[here, command]]
    : shown.filter((inner) => inner.name() !== 'help').flatMap((inner) => leavesOf(inner, here))
}

function section(path: string, command: Command): string {
  const flags = command.options.filter(({ description }) => !/\(ROOKERY_/.test(description))
  const variables = command.options.filter(({ description }) => /\(ROOKERY_/.test(description))
  return stacked(
    `## ${code(path)}`,
    capital(command.description()) + '.',
    block('sh', `${path} ${command.usage()}`),
    table(
      ['Argument', 'What it is'],
      command.registeredArguments.map((it) => [
        code(it.name()),
        [it.description, it.argChoices ? `one of ${it.argChoices.map(code).join(', ')}` : '']
          .filter(Boolean)
          .join('; '),
      ]),
    ),
    table(
      ['Flag', 'Default', 'What it is'],
      flags.map((it) => [
        code(it.flags),
        it.mandatory && it.defaultValue === undefined ? 'required' : code(String(it.defaultValue ?? 'none')),
        it.description,
      ]),
    ),
    variables.length === 0 ? '' : `Options: ${variables.map((it) => code(it.long ?? it.flags)).join(', ')}.`,
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
