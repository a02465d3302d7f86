// Uses of keys that the feed did not report: AWS keeps the last use of each key.
import type { ProviderEvent } from '../../provider.ts'
import type { Iam } from './iam.ts'

/** CloudTrail reports within this time; AWS's own record of a use may lag as long. */
const SETTLED_MS = 45 * 60_000
/** A use is reported with a time of its own, near that of AWS's record. */
const NEAR_MS = 20 * 60_000
const CALLS_AT_ONCE = 8

export interface LastUseDeps {
  readonly iam: Pick<Iam, 'lastUse'>
  /** When a use of the key was last reported; undefined for never. */
  readonly reportedAt: (accessKeyId: string) => number | undefined
}

export interface PollWindow {
  /** Where the last poll ended, milliseconds UTC. */
  readonly from: number
  readonly now: number
}

/** Those behind `from`, and where the next poll goes on. */
export async function unreportedUses(
  { iam, reportedAt }: LastUseDeps,
  accessKeyIds: readonly string[],
  { from, now }: PollWindow,
): Promise<{ readonly events: readonly ProviderEvent[]; readonly to: number }> {
  const to = Math.max(from, now - SETTLED_MS)
  const events: ProviderEvent[] = []
  for (let at = 0; at < accessKeyIds.length; at += CALLS_AT_ONCE) {
    const ids = accessKeyIds.slice(at, at + CALLS_AT_ONCE)
    const uses = await Promise.all(ids.map(async (id) => ({ id, use: await iam.lastUse(id) })))
    for (const { id, use } of uses) {
      if (!use || use.at <= from || use.at > to) continue
      if ((reportedAt(id) ?? 0) >= use.at - NEAR_MS) continue
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
