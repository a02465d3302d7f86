// The arguments of `rookery api …`: a path, the command's own flags, and `--name value` for each parameter of the operation.
import { UsageError } from './usage-error.ts'

/** Flags of the command; every other one is a parameter of the operation. */
export const COMMAND_FLAGS = {
  console: 'address of the console; default: ROOKERY_PUBLIC_URL, or this machine at ROOKERY_LISTEN',
  'key-file':
    'file with the API key; default: ROOKERY_API_KEY, or <data>/admin.key for the console on this machine',
  'data-dir': 'directory with admin.key; default: ROOKERY_DATA_DIR',
  output: 'write the answer to this file; - is the standard output',
  method: 'which of several operations on one path',
} as const

export type CommandFlag = keyof typeof COMMAND_FLAGS

export interface CommandLine {
  readonly path: string | undefined
  readonly wantsHelp: boolean
  /** One line of JSON, on a terminal too. */
  readonly wantsJson: boolean
  readonly flags: Readonly<Partial<Record<CommandFlag, string>>>
  /** Each parameter, in order; undefined where no value followed. */
  readonly parameters: readonly (readonly [name: string, value: string | undefined])[]
}

/** Parses the arguments. A value that begins with `--` is given as `--name=value`. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const flags: Partial<Record<CommandFlag, string>> = {}
  const parameters: [string, string | undefined][] = []
  const rest = [...args]
  let path: string | undefined
  let wantsHelp = false
  let wantsJson = false
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--help' || arg === '-h') wantsHelp = true
    else if (arg === '--json') wantsJson = true
    else if (arg.startsWith('--')) {
      const [name, value] = splitFlag(arg, rest)
      if (!isCommandFlag(name)) parameters.push([name, value])
      else if (value === undefined || value === '') throw new UsageError(`--${name} needs a value.`)
      else flags[name] = value
    } else if (arg.startsWith('-') && arg !== '-')
      throw new UsageError(`There is no ${arg}; parameters are given as --name value.`)
    else if (path === undefined) path = arg
    else
      throw new UsageError(
        `${JSON.stringify(arg.slice(0, 60))} is one argument too many; quote a value that contains spaces.`,
      )
  }
  return { path, wantsHelp, wantsJson, flags, parameters }
}

/** `--name=value`, or `--name` and the next argument, which is then taken from `rest`. */
function splitFlag(arg: string, rest: string[]): [name: string, value: string | undefined] {
  const at = arg.indexOf('=')
  if (at >= 0) return [arg.slice(2, at), arg.slice(at + 1)]
  const isFollowed = rest[0] !== undefined && !rest[0].startsWith('--')
  return [arg.slice(2), isFollowed ? rest.shift() : undefined]
}

const isCommandFlag = (name: string): name is CommandFlag => Object.hasOwn(COMMAND_FLAGS, name)
