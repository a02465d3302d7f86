// Uses of keys that the feed did not report: AWS keeps the last use of each key.
import type { ProviderEvent, WatchedResource } from '../../provider.ts'
import type { Iam, KeyUse } from './iam.ts'
import type { UsePosition } from './use-position.ts'

/** CloudTrail reports within this time; AWS's own record of a use may lag as long. */
const SETTLED_MS = 45 * 60_000
/** A use is reported with a time of its own, near that of AWS's record. */
const NEAR_MS = 20 * 60_000
const CALLS_AT_ONCE = 8

type WatchedKey = Pick<WatchedResource, 'remoteId' | 'usedAt'>

/** Those behind the position, and where the next poll goes on. */
export async function unreportedUses(
  iam: Pick<Iam, 'lastUse'>,
  keys: readonly WatchedKey[],
  { from, unsettled }: UsePosition,
  now: number,
): Promise<{ readonly events: readonly ProviderEvent[]; readonly position: UsePosition }> {
  const to = Math.max(from, now - SETTLED_MS)
  const events: ProviderEvent[] = []
  const stillUnsettled = new Map<string, KeyUse>()
  for (let at = 0; at < keys.length; at += CALLS_AT_ONCE) {
    const asked = keys.slice(at, at + CALLS_AT_ONCE)
    const found = await Promise.all(asked.map(async (key) => ({ key, use: await iam.lastUse(key.remoteId) })))
    for (const { key, use } of found) {
      if (!use) continue
      // AWS keeps the last use alone: of a key in constant use, the one that the last poll saw settles.
      const seen = unsettled.get(key.remoteId) ?? use
      if (seen.at > from && seen.at <= to && key.usedAt < seen.at - NEAR_MS) events.push(eventOf(key, seen))
      const next = seen.at > to ? seen : use
      if (next.at > to) stillUnsettled.set(key.remoteId, next)
    }
  }
  return { events, position: { from: to, unsettled: stillUnsettled } }
}

const eventOf = ({ remoteId }: WatchedKey, { at, service, region }: KeyUse): ProviderEvent => ({
  id: `last use of ${remoteId} at ${at}`,
  remoteId,
  at,
  srcHost: '',
  eventName: 'AccessKeyLastUsed',
  fields: {
    event_source: `${service}.amazonaws.com`,
    region,
    access_key_id: remoteId,
    is_feed_missing: true,
  },
})
