// `rookery api --help`: all operations by group, or one with its parameters.
import type { ListedOperation, Parameter } from '@rookery/sdk/operations.ts'
import { COMMAND_FLAGS } from './command-line.ts'

/** Every operation, group by group. */
export function listHelp(operations: readonly ListedOperation[]): string {
  const titles = [...new Set(operations.map(({ group }) => group.title))]
  const width = Math.max(...operations.map(({ path }) => path.length))
  const sections = titles.map((groupTitle) => {
    const rows = operations
      .filter(({ group }) => group.title === groupTitle)
      .map(
        ({ path, title, isDeprecated }) =>
          `  ${path.slice(1).padEnd(width)} ${title}${isDeprecated ? ' (deprecated)' : ''}`,
      )
    return [groupTitle, ...rows].join('\n')
  })
  return [USAGE, ...sections, FLAGS].join('\n\n')
}

export function operationHelp(operation: ListedOperation): string {
  const { method, path, aliases, title, rights, isDeprecated, parameters, answers, mayAnswerFile } = operation
  const paths = [path, ...aliases].map((it) => `${method} /api/v1${it}`).join(', also ')
  return [
    `${title}${isDeprecated ? ' (deprecated)' : ''}`,
    `${paths}\n${rights}`,
    parameters.length === 0 ? 'It takes no parameters.' : `Parameters\n${rowsOf(parameters)}`,
    `Answers ${['result', ...answers].join(', ')}${mayAnswerFile ? '; or a file (--output)' : ''}`,
    `Example\n  ${commandLine(operation)}`,
    FLAGS,
  ].join('\n\n')
}

const USAGE = `Usage: rookery api <path> [--name value]...

Calls an operation of a console's API and prints its answer as JSON. <path> is the part behind /api/v1/.
\`rookery api <path> --help\` lists the parameters. Hyphens may replace underscores; the value true may be left out
(--settings). Objects, lists of lines and files may be read from a file (--doc @report.docx, @- for standard input).
Passwords, keys, addresses of receivers and whatever may hold one must be: arguments are shown to every user of the machine.
Exit codes: 0 success, 1 the console refused or was not reached, 2 wrong usage.`

const FLAGS = [
  'Options',
  ...Object.entries(COMMAND_FLAGS).map(([name, about]) => `  ${`--${name} <value>`.padEnd(20)} ${about}`),
  `  ${'--json'.padEnd(20)} one line of JSON, on a terminal too`,
].join('\n')

const TYPES: Readonly<Record<Parameter['type'], string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true|false',
  choice: 'choice',
  list: 'list,…',
  lines: 'lines or @file',
  object: 'JSON or @file',
  file: '@file',
}

const typeOf = ({ type, choices, isSecret }: Parameter): string => {
  if (type === 'choice') return choices.join('|')
  return isSecret ? '@file' : TYPES[type]
}

function rowsOf(parameters: readonly Parameter[]): string {
  const heads = parameters.map((it) => `--${it.name} <${typeOf(it)}>`)
  const width = Math.min(44, Math.max(...heads.map((head) => head.length)))
  return parameters
    .map((it, at) => {
      const presence = it.isRequired
        ? 'required'
        : it.default === undefined
          ? ''
          : `default ${String(it.default)}`
      const notes = [presence, it.bounds].filter(Boolean).join(', ')
      return `  ${(heads[at] ?? '').padEnd(width)} ${it.description}${notes === '' ? '' : ` (${notes})`}`
    })
    .join('\n')
}

/** The example as a line to copy into a shell; a secret comes from a file of its name. */
export const commandLine = ({ path, example, parameters }: ListedOperation): string =>
  [
    `rookery api ${path.slice(1)}`,
    ...Object.entries(example).map(([name, value]) => {
      const isSecret = parameters.some((it) => it.name === name && it.isSecret)
      const text = isSecret ? `@${name}` : String(value)
      return text.startsWith('--') ? `--${name}=${quoted(text)}` : `--${name} ${quoted(text)}`
    }),
  ].join(' ')

/** In single quotes, unless no character means anything to a shell. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
