// Every option of Rookery: a flag, an environment variable and a line of the reference, from one schema.
import { Fault } from '@rookery/kernel/fault.ts'
import { CLIENT_VARIABLES, OPTIONS, type OptionName } from './options.ts'

/** The checked values of the options as texts, by environment name; each reader converts its own. */
export type Config = Readonly<Record<OptionName, string>>

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process; the only place that reads it. */
export const environment = (): Environment => process.env

/**
 * Reads the options; flags (by environment name) win over the environment. A wrong value or an unknown
 * `ROOKERY_` variable is a `bad-input` that names it, its value and what would be right.
 */
export function readConfig(env: Environment, flags: Environment = {}): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('ROOKERY_') && !(name in OPTIONS) && !(name in CLIENT_VARIABLES)) {
      throw new Fault('bad-input', `${name} is not an option of Rookery. \`rookery --help\` lists them.`)
    }
  }
  const entries = (Object.keys(OPTIONS) as OptionName[]).map((name): [OptionName, string] => {
    const option = OPTIONS[name]
    const given = flags[name] ?? env[name]
    const value = given === undefined || given === '' ? option.default : given
    if (value !== '' && !option.accepts(value)) {
      const shown = option.secret ? '(not shown)' : JSON.stringify(value)
      throw new Fault('bad-input', `${name} must be ${option.wants}, not ${shown}.`)
    }
    return [name, value]
  })
  return Object.fromEntries(entries) as Record<OptionName, string>
}
