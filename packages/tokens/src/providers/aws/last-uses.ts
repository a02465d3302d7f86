// Uses of keys that the feed did not report: AWS keeps the last use of each key.
import type { ProviderEvent, WatchedResource } from '../../provider.ts'
import type { Iam } from './iam.ts'

/** CloudTrail reports within this time; AWS's own record of a use may lag as long. */
const SETTLED_MS = 45 * 60_000
/** A use is reported with a time of its own, near that of AWS's record. */
const NEAR_MS = 20 * 60_000
const CALLS_AT_ONCE = 8

export interface PollWindow {
  /** Where the last poll ended, milliseconds UTC. */
  readonly from: number
  readonly now: number
}

/** Those behind `from`, and where the next poll goes on. */
export async function unreportedUses(
  iam: Pick<Iam, 'lastUse'>,
  keys: readonly Pick<WatchedResource, 'remoteId' | 'usedAt'>[],
  { from, now }: PollWindow,
): Promise<{ readonly events: readonly ProviderEvent[]; readonly to: number }> {
  const to = Math.max(from, now - SETTLED_MS)
  const events: ProviderEvent[] = []
  for (let at = 0; at < keys.length; at += CALLS_AT_ONCE) {
    const asked = keys.slice(at, at + CALLS_AT_ONCE)
    const found = await Promise.all(asked.map(async (key) => ({ key, use: await iam.lastUse(key.remoteId) })))
    for (const { key, use } of found) {
      const isReported = use !== undefined && key.usedAt >= use.at - NEAR_MS
      if (!use || isReported || use.at <= from || use.at > to) continue
      const id = key.remoteId
      events.push({
        id: `last use of ${id} at ${use.at}`,
        remoteId: id,
        ...{ at: use.at, srcHost: '', eventName: 'AccessKeyLastUsed' },
        fields: {
          event_source: `${use.service}.amazonaws.com`,
          ...{ region: use.region, access_key_id: id, is_feed_missing: true },
        },
      })
    }
  }
  return { events, to }
}
