// The options as flags of a command, and the configuration from flags and environment.
import { Option, type Command } from 'commander'
import { environment, readConfig, type Config } from '@rookery/console/config/config.ts'
import { OPTIONS, fileVariable, type OptionName } from '@rookery/console/config/options.ts'

/** The key under which commander stores the flag. */
const attribute = (flag: string): string => new Option(`${flag} <value>`).attributeName()

/** Adds every option of the schema (or the named ones) to a command. */
export function addOptions(command: Command, names = Object.keys(OPTIONS) as OptionName[]): Command {
  for (const name of names) {
    const { flag, title, wants, default: fallback, secret } = OPTIONS[name]
    const defaultText = fallback === '' ? '' : `, default ${fallback}`
    command.addOption(
      secret
        ? new Option(`${flag} <path>`, `${title}: file with ${wants} (${name}, or ${fileVariable(name)})`)
        : new Option(`${flag} <value>`, `${title}: ${wants} (${name}${defaultText})`),
    )
  }
  return command
}

/** The configuration of one run; flags win over the environment. */
export function configOf(flags: Readonly<Record<string, unknown>>): Config {
  const values: Record<string, string> = {}
  for (const name of Object.keys(OPTIONS) as OptionName[]) {
    const { flag, secret } = OPTIONS[name]
    const value = flags[attribute(flag)]
    if (typeof value === 'string') values[secret ? fileVariable(name) : name] = value
  }
  return readConfig(environment(), values, (message) => process.stderr.write(`${message}\n`))
}
