// The commands that Redis 7.0.15 knows (`COMMAND` of a running server): arity, flags, key positions, categories.
import facts from './commands.json' with { type: 'json' }
import { Refusal } from './call.ts'
import { array, bulk, integer, set, status } from './resp.ts'

export interface Spec {
  readonly name: string
  /** Words with the name; negative: at least so many. */
  readonly arity: number
  readonly flags: readonly string[]
  readonly keys: readonly [first: number, last: number, step: number]
  readonly categories: readonly string[]
  readonly hasSubcommands: boolean
  /** It adds something to memory. */
  readonly isGrowing: boolean
}

const specs = new Map<string, Spec>()
for (const [name, line] of Object.entries(facts)) {
  const [arity = '', flags = '', first = '', last = '', step = '', categories = ''] = line.split(' ')
  specs.set(name, {
    name,
    arity: Number(arity),
    flags: flags === '-' ? [] : flags.split(','),
    keys: [Number(first), Number(last), Number(step)],
    categories: categories.split(','),
    hasSubcommands: false,
    isGrowing: flags.includes('denyoom'),
  })
}
for (const name of specs.keys()) {
  const [parent = '', child] = name.split('|')
  if (child) specs.set(parent, { ...specs.get(parent)!, hasSubcommands: true })
}

/** By its lower-case name; subcommands are `config|get`. */
export const specOf = (name: string): Spec | undefined => specs.get(name)

export const commandNames: readonly string[] = [...specs.keys()].filter((name) => !name.includes('|'))

export const fits = ({ arity }: Spec, words: number): boolean =>
  arity < 0 ? words >= -arity : words === arity

/** One element of COMMAND's answer; empty for an unknown command. */
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
  if (!spec) throw new Refusal('ERR Invalid command specified')
  const [first, last, step] = spec.keys
  if (first === 0) throw new Refusal('ERR The command has no key arguments')
  if (!fits(spec, words.length)) throw new Refusal('ERR Invalid number of arguments specified for command')
  const end = last < 0 ? words.length + last : last
  return words.filter((_, i) => i >= first && i <= end && (i - first) % step === 0)
}
