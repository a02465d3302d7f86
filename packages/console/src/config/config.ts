// Every option of Rookery: a flag, an environment variable and a line of the reference, from one schema.
import { Fault } from '@rookery/kernel/fault.ts'
import { suggest } from '@rookery/kernel/suggest.ts'
import { CLIENT_VARIABLES, OPTIONS, fileVariable, type OptionName } from './options.ts'
import { readSecretFile } from './read-secret-file.ts'

/** The checked values of the options as texts, by environment name; each reader converts its own. */
export type Config = Readonly<Record<OptionName, string>>

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process; the only place that reads it. */
export const environment = (): Environment => process.env

/**
 * Reads the options; flags (by environment name) win over the environment. A secret may be named by its file, as
 * `ROOKERY_…_FILE`. A wrong value or an unknown `ROOKERY_` variable is a `bad-input` that names it, its value and what
 * would be right; `warn` gets a sentence on each file of a secret that others may read.
 */
export function readConfig(
  env: Environment,
  flags: Environment = {},
  warn: (message: string) => void = () => undefined,
): Config {
  const names = Object.keys(OPTIONS) as OptionName[]
  const known = new Set([
    ...names,
    ...names.filter(isSecret).map(fileVariable),
    ...Object.keys(CLIENT_VARIABLES),
  ])
  for (const name of Object.keys(env)) {
    if (name.startsWith('ROOKERY_') && !known.has(name))
      throw new Fault('bad-input', unknownOption(name, [...known]))
  }
  const entries = names.map((name): [OptionName, string] => {
    const option = OPTIONS[name]
    const { from, text } = givenValue(name, env, flags, warn)
    if (text !== '' && !option.accepts(text)) {
      const found = isSecret(name) ? '; its value is not shown' : `, not ${JSON.stringify(text)}`
      throw new Fault('bad-input', `${from} must be ${option.wants}${found}.`)
    }
    return [name, text === '' ? option.default : text]
  })
  return Object.fromEntries(entries) as Record<OptionName, string>
}

function unknownOption(name: string, known: readonly string[]): string {
  const [similar] = suggest(
    name,
    known.map((it) => it.toLowerCase()),
  )
  const meant = similar === undefined ? '' : ` Did you mean ${similar.toUpperCase()}?`
  return `${name} is not an option of Rookery.${meant} \`rookery up --help\` lists all.`
}

const isSecret = (name: OptionName): boolean => OPTIONS[name].secret

interface GivenValue {
  /** The variable, or the option with its file. */
  readonly from: string
  /** Empty where none was given. */
  readonly text: string
}

function givenValue(
  name: OptionName,
  env: Environment,
  flags: Environment,
  warn: (message: string) => void,
): GivenValue {
  const inVariable = { from: name, text: flags[name] ?? env[name] ?? '' }
  if (!isSecret(name)) return inVariable
  const variable = fileVariable(name)
  const inFile = (path: string, option: string): GivenValue => ({
    from: `The content of ${path} (${option})`,
    text: readSecretFile(path, option, warn, OPTIONS[name].multiline ? 'several lines' : 'one line'),
  })
  const flagged = flags[variable]
  if (flagged !== undefined) return inFile(flagged, OPTIONS[name].flag)
  const path = env[variable] ?? ''
  if (path === '') return inVariable
  if (inVariable.text !== '')
    throw new Fault('bad-input', `${name} and ${variable} are both set; set one of them.`)
  return inFile(path, variable)
}
