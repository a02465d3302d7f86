// A user of Redis's access control lists (ACL): a password, and selectors that allow commands, keys and channels.
import { createHash } from 'node:crypto'
import { allSpecs, type CommandSpec } from '../command-table/table.ts'

export interface KeyPattern {
  readonly pattern: string
  reads: boolean
  writes: boolean
}

export interface Selector {
  allowsAllKeys: boolean
  allowsAllChannels: boolean
  keys: KeyPattern[]
  channels: string[]
  /** Commands of later releases, too: set by `+@all` alone. */
  allowsFuture: boolean
  /** Full names: `config|get`. */
  readonly commands: Set<string>
  /** First arguments that are allowed of a command that is not: `select` with `0`. */
  readonly firstArguments: Map<string, string[]>
}

export interface User {
  readonly name: string
  isOn: boolean
  needsNoPassword: boolean
  /** Of payloads of RESTORE; undefined until it is said. */
  sanitizes: boolean | undefined
  /** SHA-256 in hexadecimal. */
  passwords: string[]
  readonly root: Selector
  selectors: Selector[]
}

export const newSelector = (): Selector => ({
  allowsAllKeys: false,
  allowsAllChannels: false,
  keys: [],
  channels: [],
  allowsFuture: false,
  commands: new Set(),
  firstArguments: new Map(),
})

export const newUser = (name: string): User => ({
  name,
  isOn: false,
  needsNoPassword: false,
  sanitizes: undefined,
  passwords: [],
  root: newSelector(),
  selectors: [],
})

export const copyUser = (user: User): User => structuredClone(user)

export function allowAll(selector: Selector): void {
  selector.allowsFuture = true
  selector.firstArguments.clear()
  for (const { name } of allSpecs) selector.commands.add(name)
}

/** Who everybody is before AUTH: anything goes. */
export function defaultUser(): User {
  const user = newUser('default')
  Object.assign(user, { isOn: true, needsNoPassword: true })
  Object.assign(user.root, { allowsAllKeys: true, allowsAllChannels: true })
  allowAll(user.root)
  return user
}

export const hashPassword = (password: string): string =>
  createHash('sha256').update(password, 'latin1').digest('hex')

/** Nobody needs to give a password for it. */
export const isOpen = ({ isOn, needsNoPassword }: User): boolean => isOn && needsNoPassword

export const isPasswordOf = (user: User, password: string): boolean =>
  user.isOn && (user.needsNoPassword || user.passwords.includes(hashPassword(password)))

export const flagsOf = ({ isOn, needsNoPassword, sanitizes }: User): string[] => [
  isOn ? 'on' : 'off',
  ...(needsNoPassword ? ['nopass'] : []),
  ...(sanitizes === undefined ? [] : [sanitizes ? 'sanitize-payload' : 'skip-sanitize-payload']),
]

export const keyRules = ({ allowsAllKeys, keys }: Selector): string =>
  allowsAllKeys ? '~*' : keys.map(keyRule).join(' ')

const keyRule = ({ pattern, reads, writes }: KeyPattern): string =>
  reads && writes ? `~${pattern}` : `%${reads ? 'R' : ''}${writes ? 'W' : ''}~${pattern}`

export const channelRules = ({ allowsAllChannels, channels }: Selector): string =>
  allowsAllChannels ? '&*' : channels.map((channel) => `&${channel}`).join(' ')

/** In the order in which ACL CAT lists them. */
export const CATEGORIES =
  `keyspace read write set sortedset list hash string bitmap hyperloglog geo stream pubsub admin fast
  slow blocking dangerous connection transaction scripting`.split(/\s+/)

export const isInCategory = ({ categories }: CommandSpec, category: string): boolean =>
  categories.includes(`@${category}`)

const members = new Map<string, readonly CommandSpec[]>()

function membersOf(category: string): readonly CommandSpec[] {
  const known = members.get(category) ?? allSpecs.filter((spec) => isInCategory(spec, category))
  members.set(category, known)
  return known
}

/**
 * The shortest rules that Redis finds: `+@all` or `-@all`, then the categories that fit best, one after another, then
 * single commands.
 */
export function commandRules({ allowsFuture, commands, firstArguments }: Selector): string {
  const rules = [allowsFuture ? '+@all' : '-@all']
  const [add, take] = allowsFuture ? ['-', '+'] : ['+', '-']
  const wanted = new Set(commands)
  const made = new Set(allowsFuture ? allSpecs.map(({ name }) => name) : [])
  const left = new Set(CATEGORIES)
  for (
    let best = bestCategory(wanted, left, allowsFuture);
    best;
    best = bestCategory(wanted, left, allowsFuture)
  ) {
    rules.push(`${add}@${best}`)
    left.delete(best)
    for (const spec of membersOf(best)) {
      if (add === '+') made.add(spec.name)
      else made.delete(spec.name)
      if (take === '+') wanted.add(spec.name)
      else wanted.delete(spec.name)
    }
  }
  for (const { name, subcommands } of allSpecs) {
    if (commands.has(name) !== made.has(name)) {
      rules.push(`${commands.has(name) ? '+' : '-'}${name}`)
      for (const each of [name, ...subcommands])
        if (commands.has(name)) made.add(each)
        else made.delete(each)
    }
    for (const argument of firstArguments.get(name) ?? []) rules.push(`+${name}|${argument}`)
  }
  return rules.join(' ')
}

function bestCategory(
  wanted: ReadonlySet<string>,
  left: ReadonlySet<string>,
  isNegative: boolean,
): string | undefined {
  let best: { name: string; same: number; different: number } | undefined
  for (const name of left) {
    const members = membersOf(name)
    const on = members.filter((spec) => wanted.has(spec.name)).length
    const [same, different] = isNegative ? [members.length - on, on] : [on, members.length - on]
    if (same <= different) continue
    const isBetter = !best || different < best.different || (different === best.different && same > best.same)
    if (isBetter) best = { name, same, different }
  }
  return best?.name
}

const selectorText = (selector: Selector): string =>
  [
    keyRules(selector),
    selector.allowsAllChannels ? '&*' : 'resetchannels',
    selector.allowsAllChannels ? '' : channelRules(selector),
    commandRules(selector),
  ]
    .filter((text) => text !== '')
    .join(' ')

/** A line of ACL LIST. */
export const userLine = (user: User): string =>
  [
    'user',
    user.name,
    ...flagsOf(user),
    ...user.passwords.map((hash) => `#${hash}`),
    selectorText(user.root),
    ...user.selectors.map((selector) => `(${selectorText(selector)})`),
  ].join(' ')
