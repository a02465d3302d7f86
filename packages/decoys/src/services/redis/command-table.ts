// The command table of Redis 7.0.15, as its COMMAND shows it: arity, flags, key positions, categories.
import facts from './commands.json' with { type: 'json' }
import { ErrorReply } from './call.ts'
import { array, bulk, integer, set, status } from './resp.ts'

export interface CommandSpec {
  readonly name: string
  /** Number of words, the name included; negative: at least so many. */
  readonly arity: number
  readonly flags: readonly string[]
  readonly keys: readonly [first: number, last: number, step: number]
  readonly categories: readonly string[]
  readonly hasSubcommands: boolean
  /** Has the flag `denyoom`: it may add data. */
  readonly mayGrow: boolean
}

const specs = new Map<string, CommandSpec>()
for (const [name, line] of Object.entries(facts)) {
  const [arity = '', flags = '', first = '', last = '', step = '', categories = ''] = line.split(' ')
  specs.set(name, {
    name,
    arity: Number(arity),
    flags: flags === '-' ? [] : flags.split(','),
    keys: [Number(first), Number(last), Number(step)],
    categories: categories.split(','),
    hasSubcommands: false,
    mayGrow: flags.includes('denyoom'),
  })
}
for (const name of specs.keys()) {
  const [parent = '', child] = name.split('|')
  if (child) specs.set(parent, { ...specs.get(parent)!, hasSubcommands: true })
}

/** By lower-case name; a subcommand is `config|get`. */
export const findSpec = (name: string): CommandSpec | undefined => specs.get(name)

export const commandNames: readonly string[] = [...specs.keys()].filter((name) => !name.includes('|'))

export const hasArity = ({ arity }: CommandSpec, words: number): boolean =>
  arity < 0 ? words >= -arity : words === arity

/** One element of COMMAND's reply; empty text for an unknown command. */
export function describeCommand(name: string): string {
  const spec = specs.get(name.toLowerCase())
  if (!spec) return ''
  return array([
    bulk(spec.name),
    integer(spec.arity),
    set(spec.flags.map(status), 2),
    ...spec.keys.map(integer),
    set(spec.categories.map(status), 2),
    array([]),
    array([]),
    array([]),
  ])
}

/** The keys among the words of a command. */
export function keysOf(words: readonly string[]): string[] {
  const spec = specs.get((words[0] ?? '').toLowerCase())
  if (!spec) throw new ErrorReply('ERR Invalid command specified')
  const [first, last, step] = spec.keys
  if (first === 0) throw new ErrorReply('ERR The command has no key arguments')
  if (!hasArity(spec, words.length))
    throw new ErrorReply('ERR Invalid number of arguments specified for command')
  const end = last < 0 ? words.length + last : last
  return words.filter((_, i) => i >= first && i <= end && (i - first) % step === 0)
}
