// Whether a user may run a command on these keys and channels, and the log of those who may not.
import type { Call } from '../model/call.ts'
import { clientLine } from '../clients/line.ts'
import { findKeys } from '../command-table/keys.ts'
import type { CommandSpec } from '../command-table/table.ts'
import type { LineWork } from '../../../../../session/line-work.ts'
import { globOf } from '../../../protocol/glob.ts'
import type { Denial, DenialEntry, DenialReason } from './denial.ts'
import type { Selector, User } from './user.ts'

type Spend = LineWork['spend']

const SEVERITY: Readonly<Record<DenialReason, number>> = { command: 1, key: 2, auth: 3, channel: 4 }

/** Undefined: the user may. Of several selectors the one that comes closest gives the reason. */
export function permissionError(
  user: User,
  spec: CommandSpec,
  words: readonly string[],
  spend: Spend,
): Denial | undefined {
  let worst = denialBy(user.root, spec, words, spend)
  if (!worst) return undefined
  for (const selector of user.selectors) {
    const denial = denialBy(selector, spec, words, spend)
    if (!denial) return undefined
    if (SEVERITY[denial.reason] > SEVERITY[worst.reason]) worst = denial
  }
  return worst
}

function denialBy(
  selector: Selector,
  spec: CommandSpec,
  words: readonly string[],
  spend: Spend,
): Denial | undefined {
  const isAllowed =
    selector.commands.has(spec.name) ||
    spec.flags.has('no_auth') ||
    selector.firstArguments.get(spec.name)?.includes((words[1] ?? '').toLowerCase())
  if (!isAllowed) return { reason: 'command', object: spec.name }
  if (!selector.allowsAllKeys) {
    const allows = keyTest(selector, spend)
    const key = (findKeys(spec, words) ?? []).find((one) => !allows(one.key, one.flags))
    if (key) return { reason: 'key', object: key.key }
  }
  if (selector.allowsAllChannels) return undefined
  const tests = selector.channels.map((pattern) =>
    spec.name === 'psubscribe' ? (name: string) => (spend(1), pattern === name) : globOf(pattern, spend),
  )
  const channel = channelsOf(spec, words).find((name) => !tests.some((matches) => matches(name)))
  return channel === undefined ? undefined : { reason: 'channel', object: channel }
}

function keyTest({ keys }: Selector, spend: Spend): (key: string, flags: readonly string[]) => boolean {
  const tests = keys.map((rule) => ({ ...rule, matches: globOf(rule.pattern, spend) }))
  return (key, flags) => {
    const reads = flags.includes('access')
    const writes = flags.some((flag) => /^(insert|delete|update)$/.test(flag))
    return tests.some((one) => (!reads || one.reads) && (!writes || one.writes) && one.matches(key))
  }
}

const channelsOf = ({ name }: CommandSpec, words: readonly string[]): readonly string[] =>
  /^s?publish$/.test(name) ? words.slice(1, 2) : /^[ps]?subscribe$/.test(name) ? words.slice(1) : []

const MAX_DENIALS = 128
const SAME_ENTRY_MS = 60_000
const MAX_NAME_LENGTH = 128

/** Writes the denial into ACL LOG; one that repeats within a minute counts up. */
export function noteDenial(call: Call, denial: Denial, username = call.client.user.name): void {
  const { server, client: own, now } = call
  const context = own.isInScript ? 'lua' : own.queue ? 'multi' : 'toplevel'
  const isSame = (entry: DenialEntry): boolean =>
    entry.reason === denial.reason &&
    entry.context === context &&
    entry.object === denial.object &&
    entry.username === username &&
    now - entry.at <= SAME_ENTRY_MS
  const known = server.denials.find(isSame)
  const rest = server.denials.filter((entry) => entry !== known)
  const { reason, object } = denial
  const entry: DenialEntry = {
    reason,
    object: object.slice(0, MAX_NAME_LENGTH),
    context,
    username: username.slice(0, MAX_NAME_LENGTH),
    count: (known?.count ?? 0) + 1,
    at: now,
    client: clientLine(own, now, server.monitors),
  }
  server.denials = [entry, ...rest].slice(0, MAX_DENIALS)
}

const WHAT: Readonly<Record<'key' | 'channel', string>> = {
  key: 'access one of the keys used as arguments',
  channel: 'access one of the channels used as arguments',
}

/** How Redis refuses it. */
export const denialText = ({ reason, object }: Denial): string =>
  reason === 'key' || reason === 'channel'
    ? `NOPERM this user has no permissions to ${WHAT[reason]}`
    : `NOPERM this user has no permissions to run the '${object}' command`

/** How ACL DRYRUN says it. */
export const dryRunText = ({ reason, object }: Denial): string =>
  reason === 'command'
    ? `This user has no permissions to run the '${object}' command`
    : `This user has no permissions to access the '${object}' ${reason}`
