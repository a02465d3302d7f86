// The rules of ACL SETUSER, as acl(7.0) documents them: each changes a user, or is refused with a reason.
import { allSpecs, findSpec, type CommandSpec } from '../command-table/table.ts'
import type { LineWork } from '../../../../../session/line-work.ts'
import { cString, ErrorReply } from '../arguments.ts'
import {
  allowAll,
  CATEGORIES,
  hashPassword,
  isInCategory,
  newSelector,
  type Selector,
  type User,
} from './user.ts'

const UNKNOWN = 'Unknown command or category name in ACL'
const SYNTAX = 'Syntax error'
const KEYS_ARE_ALL =
  "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any effect. Try 'resetkeys' to start with an empty list of patterns"
const CHANNELS_ARE_ALL =
  "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any effect. Try 'resetchannels' to start with an empty list of channels"
const NO_PASSWORD = 'The password you are trying to remove from the user does not exist'
const BAD_HASH =
  'The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters'
const FIRST_OF_SUBCOMMAND = 'Allowing first-arg of a subcommand is not supported'
/** Of patterns, passwords and selectors: a user stays small. */
const MAX_ITEMS = 100
/** Of one rule: it may change all commands. */
const RULE_WORK = 600

/** Applies all rules. Throws what the first wrong one is refused with. */
export function applyRules(user: User, words: readonly string[], { spend }: LineWork): void {
  for (const rule of mergeSelectors(words)) {
    spend(RULE_WORK + rule.length)
    const reason = applyToUser(user, rule)
    if (reason) throw new ErrorReply(`ERR Error in ACL SETUSER modifier '${cString(rule)}': ${reason}`)
  }
}

/** `(+get`, `~k*)` is one rule. */
function mergeSelectors(words: readonly string[]): string[] {
  const merged: string[] = []
  let open: string | undefined
  for (const word of words) {
    if (open === undefined && !word.startsWith('(')) merged.push(word)
    else {
      open = open === undefined ? word : `${open} ${word}`
      if (!word.endsWith(')')) continue
      merged.push(open)
      open = undefined
    }
  }
  if (open !== undefined)
    throw new ErrorReply(`ERR Unmatched parenthesis in acl selector starting at '${open.split(' ')[0]}'.`)
  return merged
}

/** The reason why the rule is refused. */
function applyToUser(user: User, rule: string): string | undefined {
  const rest = rule.slice(1)
  if (rule === '') return undefined
  switch (rule.toLowerCase()) {
    case 'on':
    case 'off':
      user.isOn = rule.toLowerCase() === 'on'
      return undefined
    case 'nopass':
    case 'resetpass':
      user.needsNoPassword = rule.toLowerCase() === 'nopass'
      user.passwords = []
      return undefined
    case 'sanitize-payload':
    case 'skip-sanitize-payload':
      user.sanitizes = rule.toLowerCase() === 'sanitize-payload'
      return undefined
    case 'clearselectors':
      user.selectors = []
      return undefined
    case 'reset':
      Object.assign(user, {
        isOn: false,
        needsNoPassword: false,
        sanitizes: true,
        passwords: [],
        selectors: [],
      })
      Object.assign(user.root, { allowsAllKeys: false, allowsAllChannels: false, keys: [], channels: [] })
      denyAll(user.root)
      return undefined
  }
  if (/^[>#<!]/.test(rule)) return changePassword(user, rule[0]!, rest)
  if (rule.startsWith('(')) return addSelector(user, rule.slice(1, -1))
  return applyToSelector(user.root, rule)
}

function changePassword(user: User, sign: string, text: string): string | undefined {
  const isHash = sign === '#' || sign === '!'
  if (isHash && !/^[\da-f]{64}$/.test(text)) return BAD_HASH
  const hash = isHash ? text : hashPassword(text)
  const isKnown = user.passwords.includes(hash)
  if (sign === '<' || sign === '!') {
    if (!isKnown) return NO_PASSWORD
    user.passwords = user.passwords.filter((one) => one !== hash)
    return undefined
  }
  if (!isKnown && user.passwords.length < MAX_ITEMS) user.passwords.push(hash)
  user.needsNoPassword = false
  return undefined
}

function addSelector(user: User, text: string): string | undefined {
  const selector = newSelector()
  for (const rule of text.split(/\s+/).filter((word) => word !== '')) {
    const reason = applyToSelector(selector, rule)
    if (reason) return reason
  }
  if (user.selectors.length < MAX_ITEMS) user.selectors.push(selector)
  return undefined
}

function applyToSelector(selector: Selector, rule: string): string | undefined {
  switch (rule.toLowerCase()) {
    case 'allkeys':
    case '~*':
      Object.assign(selector, { allowsAllKeys: true, keys: [] })
      return undefined
    case 'resetkeys':
      Object.assign(selector, { allowsAllKeys: false, keys: [] })
      return undefined
    case 'allchannels':
    case '&*':
      Object.assign(selector, { allowsAllChannels: true, channels: [] })
      return undefined
    case 'resetchannels':
      Object.assign(selector, { allowsAllChannels: false, channels: [] })
      return undefined
    case 'allcommands':
    case '+@all':
      allowAll(selector)
      return undefined
    case 'nocommands':
    case '-@all':
      denyAll(selector)
      return undefined
  }
  if (/^[~%]/.test(rule)) return addKeys(selector, rule)
  if (rule.startsWith('&')) return addChannels(selector, rule.slice(1))
  if (/^[+-]@/.test(rule)) return changeCategory(selector, rule[0]!, rule.slice(2).toLowerCase())
  if (/^[+-]/.test(rule)) return changeCommand(selector, rule[0]!, rule.slice(1).toLowerCase())
  return SYNTAX
}

function denyAll(selector: Selector): void {
  selector.allowsFuture = false
  selector.commands.clear()
  selector.firstArguments.clear()
}

function addKeys(selector: Selector, rule: string): string | undefined {
  if (selector.allowsAllKeys) return KEYS_ARE_ALL
  const [, letters = '', hasPattern, pattern = ''] = /^%?([RrWw]*)(~?)(.*)$/s.exec(rule) ?? []
  const [reads, writes] = rule.startsWith('~') ? [true, true] : [/r/i.test(letters), /w/i.test(letters)]
  const isDoubled = /(.).*\1/i.test(letters)
  if (isDoubled || (!hasPattern && pattern !== '') || /[\s\0]/.test(pattern)) return SYNTAX
  const known = selector.keys.find((one) => one.pattern === pattern)
  if (known) Object.assign(known, { reads: known.reads || reads, writes: known.writes || writes })
  else if (selector.keys.length < MAX_ITEMS) selector.keys.push({ pattern, reads, writes })
  return undefined
}

function addChannels(selector: Selector, pattern: string): string | undefined {
  if (selector.allowsAllChannels) return CHANNELS_ARE_ALL
  if (/[\s\0]/.test(pattern)) return SYNTAX
  if (!selector.channels.includes(pattern) && selector.channels.length < MAX_ITEMS)
    selector.channels.push(pattern)
  return undefined
}

function change(selector: Selector, sign: string, { name }: CommandSpec): void {
  selector.firstArguments.delete(name)
  if (sign === '+') selector.commands.add(name)
  else selector.commands.delete(name)
}

function changeCategory(selector: Selector, sign: string, category: string): string | undefined {
  if (!CATEGORIES.includes(category)) return UNKNOWN
  for (const spec of allSpecs) if (isInCategory(spec, category)) change(selector, sign, spec)
  return undefined
}

function changeCommand(selector: Selector, sign: string, name: string): string | undefined {
  const spec = findSpec(name)
  if (spec) {
    for (const each of [spec, ...spec.subcommands.map((child) => findSpec(child)!)])
      change(selector, sign, each)
    return undefined
  }
  const [parent = '', ...rest] = name.split('|')
  const command = findSpec(parent)
  if (!command || sign === '-' || rest.length === 0) return UNKNOWN
  if (rest.length > 1) return FIRST_OF_SUBCOMMAND
  if (command.subcommands.length > 0) return UNKNOWN
  if (rest[0] === '') return SYNTAX
  const known = selector.firstArguments.get(parent) ?? []
  if (!known.includes(rest[0]!) && known.length < MAX_ITEMS)
    selector.firstArguments.set(parent, [...known, rest[0]!])
  return undefined
}
