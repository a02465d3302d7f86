// The difference of settings as text: `bird_limit 0 → 5`. Pure.
import { quoteValue } from '../../stores/audit/message.ts'
import { SETTINGS } from '../../stores/birds/settings.ts'
import type { Snapshot } from './snapshots.ts'

type Setting = Snapshot[string] | undefined

/** Entries of a list that are named on each side; the others are counted. */
const NAMED_ENTRIES = 20
const SECRET = /secret|password|passphrase|token|(^|[._])key$/i

/** One text for each setting that differs, by name; of a secret one only the name is shown. */
export function difference(
  before: Snapshot,
  after: Snapshot,
  isSecret: (name: string) => boolean = (name) => SETTINGS[name]?.secret === true,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [old, now] = [before[name], after[name]]
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    if (isSecret(name) || isHidden(name, old) || isHidden(name, now)) return [`${name} changed`]
    if (isList(old) || isList(now))
      return [`${name} ${listChange(isList(old) ? old : [], isList(now) ? now : [])}`]
    return [`${name} ${valueText(old)} → ${valueText(now)}`]
  })
}

/** Sealed values are ciphertext, whatever their names are. */
const isHidden = (name: string, value: Setting): boolean =>
  SECRET.test(name) || (typeof value === 'string' && value.startsWith('v1:'))

const isList = (value: Setting): value is readonly string[] => typeof value === 'object'

const valueText = (value: Exclude<Setting, readonly string[]>): string =>
  value === undefined || value === '' ? 'nothing' : quoteValue(value)

function listChange(old: readonly string[], now: readonly string[]): string {
  const [before, after] = [new Set(old), new Set(now)]
  const gone = old.filter((it) => !after.has(it))
  const added = now.filter((it) => !before.has(it))
  const changes = [...named(gone, '−'), ...named(added, '+')]
  return changes.length > 0 ? changes.join(', ') : 'in another order'
}

function named(entries: readonly string[], sign: string): string[] {
  const rest = entries.length - NAMED_ENTRIES
  return [
    ...entries.slice(0, NAMED_ENTRIES).map((it) => `${sign} ${quoteValue(it)}`),
    ...(rest > 0 ? [`${sign} ${rest} more`] : []),
  ]
}
