// CONFIG GET and CONFIG SET over Debian's redis.conf, changed to accept the network without a password.
import defaults from './config.json' with { type: 'json' }
import { cString, ErrorReply, syntaxError } from '../arguments.ts'
import { refusal, shown } from './config-value.ts'
import type { LineWork } from '../../../../../session/line-work.ts'
import { globOf } from '../../../protocol/glob.ts'

const initialValues: Readonly<Record<string, string>> = defaults

export const initialConfig = (): Map<string, string> => new Map(Object.entries(initialValues))

const MAX_VALUE_BYTES = 4 * 1024

/** Names and values in turn. A name without a pattern comes back in the caller's spelling. */
export function readConfig(
  config: ReadonlyMap<string, string>,
  patterns: readonly string[],
  { spend }: LineWork,
): string[] {
  const found = new Map<string, string>()
  for (const pattern of patterns) {
    const name = pattern.toLowerCase()
    if (!/[*?[]/.test(pattern)) {
      const value = config.get(name)
      if (value !== undefined) found.set(pattern, value)
      continue
    }
    const matches = globOf(name, spend)
    for (const [known, value] of config) if (matches(known)) found.set(known, value)
  }
  return [...found].flat()
}

/** Sets all names and values, or none: the error names the first that is wrong. */
export function writeConfig(config: Map<string, string>, words: readonly string[]): void {
  if (words.length % 2) throw syntaxError()
  const changes = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at]!.toLowerCase()
    if (!config.has(name)) {
      throw new ErrorReply(
        `ERR Unknown option or number of arguments for CONFIG SET - '${cString(words[at]!)}'`,
      )
    }
    changes.set(name, words[at + 1]!)
  }
  for (const [name, value] of changes) {
    const reason = value.length > MAX_VALUE_BYTES ? 'argument is too long' : refusal(name, value)
    if (reason)
      throw new ErrorReply(`ERR CONFIG SET failed (possibly related to argument '${name}') - ${reason}`)
  }
  for (const [name, value] of changes)
    for (const each of [name, otherName(name)])
      if (config.has(each)) config.set(each, shown(name, value, config.get(name)!))
}

/** Some settings have two names: an older one, and the one that replaced it. */
function otherName(name: string): string {
  if (name === 'lua-time-limit') return 'busy-reply-threshold'
  if (name === 'busy-reply-threshold') return 'lua-time-limit'
  const pairs = [
    ['slave', 'replica'],
    ['ziplist', 'listpack'],
  ] as const
  const pair = pairs.find((words) => words.some((word) => name.includes(word)))
  if (!pair) return name
  return name.includes(pair[0]) ? name.replace(pair[0], pair[1]) : name.replace(pair[1], pair[0])
}
