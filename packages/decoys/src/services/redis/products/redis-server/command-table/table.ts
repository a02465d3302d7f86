// The command table of Redis 7.0.15, as its COMMAND shows it: arity, flags, key positions, categories.
import facts from './commands.json' with { type: 'json' }

/** Where a command's keys stand among its words; the texts of COMMAND's key specifications, split. */
export interface KeySpec {
  readonly flags: readonly string[]
  /** `index 1`, `keyword STORE 6` or `unknown`. */
  readonly begin: readonly string[]
  /** `range <last> <step> <limit>`, `keynum <count at> <first> <step>` or `unknown`. */
  readonly find: readonly string[]
  readonly notes: string | undefined
}

export interface CommandSpec {
  readonly name: string
  readonly upperName: string
  /** Number of words, the name included; negative: at least so many. */
  readonly arity: number
  readonly flags: ReadonlySet<string>
  readonly keys: readonly [first: number, last: number, step: number]
  readonly categories: readonly string[]
  readonly tips: readonly string[]
  readonly keySpecs: readonly KeySpec[]
  readonly subcommands: readonly string[]
  /** Has the flag `denyoom`: it may add data. */
  readonly mayGrow: boolean
  /** Refused by 7.0 unless `enable-<name>-command` is set. */
  readonly enabledBy: 'debug' | 'module' | undefined
}

interface Facts {
  readonly facts: string
  readonly tips?: string
  readonly keys?: readonly string[]
}

const readKeySpec = (text: string): KeySpec => {
  const [flags = '', begin = '', find = '', notes] = text.split('; ')
  return { flags: flags.split(','), begin: begin.split(' '), find: find.split(' '), notes }
}

const all: readonly (readonly [string, Facts])[] = Object.entries(facts)

/** By the name of their command, `config|get` under `config`. */
const subcommands = Map.groupBy(
  all.flatMap(([name]) => (name.includes('|') ? [name] : [])),
  (name) => name.slice(0, name.indexOf('|')),
)

const optionOf = (name: string): CommandSpec['enabledBy'] =>
  /^debug(?:$|\|)/.test(name) ? 'debug' : /^module\|(?:load|loadex|unload)$/.test(name) ? 'module' : undefined

const specs = new Map(
  all.map(([name, { facts: line, tips, keys = [] }]): [string, CommandSpec] => {
    const [arity = '', flags = '', first = '', last = '', step = '', categories = ''] = line.split(' ')
    return [
      name,
      {
        name,
        upperName: name.toUpperCase(),
        arity: Number(arity),
        flags: new Set(flags === '-' ? [] : flags.split(',')),
        keys: [Number(first), Number(last), Number(step)],
        categories: categories.split(','),
        tips: tips?.split(' ') ?? [],
        keySpecs: keys.map(readKeySpec),
        subcommands: subcommands.get(name) ?? [],
        mayGrow: flags.includes('denyoom'),
        enabledBy: optionOf(name),
      },
    ]
  }),
)

/** By lower-case name; a subcommand is `config|get`. */
export const findSpec = (name: string): CommandSpec | undefined => specs.get(name)

export const commandNames: readonly string[] = [...specs.keys()].filter((name) => !name.includes('|'))

/** Subcommands included. */
export const allSpecs: readonly CommandSpec[] = [...specs.values()]

/** Both usual spellings: most clients need no conversion. */
const spellings = new Map(
  [...specs].flatMap(([name, spec]) => [
    [name, spec],
    [spec.upperName, spec],
  ]),
)

/** The command, or the parent of its subcommands, in any case of letters. */
export const findCommand = (word: string): CommandSpec | undefined =>
  spellings.get(word) ?? specs.get(word.toLowerCase())

/** The command, or subcommand, that the words name. */
export function lookUp(words: readonly string[]): CommandSpec | undefined {
  const spec = findCommand(words[0] ?? '')
  if (!spec || spec.subcommands.length === 0 || words.length < 2) return spec
  return specs.get(`${spec.name}|${words[1]!.toLowerCase()}`)
}

export const hasArity = ({ arity }: CommandSpec, words: number): boolean =>
  arity < 0 ? words >= -arity : words === arity
