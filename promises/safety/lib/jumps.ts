// G8: the console's clock jumps, and its Birds' clocks are a day wrong, while a client polls with `incidents_since`.
// The console runs in this process, so that its clock can be moved.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { openConsole, type Console } from '@rookery/console/build.ts'
import { readConfig } from '@rookery/console/config/config.ts'
import { systemWorld } from '@rookery/console/world/system.ts'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { ADMIN, UNMETERED } from '../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { connectLink, spooledEvent, type LinkClient } from '../../rig/load/link-client.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Where the clock goes, one after the other: a name, and the new distance from the true time. */
const JUMPS: readonly (readonly [string, () => number])[] = [
  ['right', () => 0],
  ['+1 h', () => HOUR_MS],
  ['−1 h', () => -HOUR_MS],
  ['+400 d', () => 400 * DAY_MS],
  ['right again', () => 0],
  // Europe/Berlin puts its clocks back, and forward, at 01:00 UTC.
  ['end of summer time', () => Date.UTC(2026, 9, 25, 0, 59, 59) - Date.now()],
  ['begin of summer time', () => Date.UTC(2027, 2, 28, 0, 59, 59) - Date.now()],
]

export interface Jumped {
  readonly jumps: number
  readonly changes: number
  /** Incidents whose last change the poller has not seen. */
  readonly missed: number
  /** Answers in which `updated_id` did not rise. */
  readonly unordered: number
  /** Events that the console acknowledged and no incident counts, or the other way round. */
  readonly miscounted: number
  /** Incidents that are said to have happened later than they were received. */
  readonly early: number
  readonly refused: number
}

interface Listed {
  readonly incidents: readonly {
    readonly id: string
    readonly updated_id: number
    readonly description: {
      readonly created: string
      readonly events_count: string
      readonly created_std: string
    }
  }[]
  readonly max_updated_id?: number
}

export interface JumpOptions {
  /** Of an empty PostgreSQL database; SQLite without. */
  readonly databaseUrl?: string
  /** Events of each Bird between two jumps. */
  readonly events: number
}

export async function jumpClocks({ databaseUrl, events }: JumpOptions): Promise<Jumped> {
  const folder = freshFolder()
  let off = 0
  const system = systemWorld({ send: () => Promise.reject(new Error('This gate has no outside.')) })
  const console = await openConsole({
    config: readConfig({
      ROOKERY_DATA_DIR: folder,
      ROOKERY_LISTEN: '127.0.0.1:0',
      ROOKERY_BOOTSTRAP_KEY: ADMIN,
      ...UNMETERED,
      ...(databaseUrl !== undefined && { ROOKERY_DATABASE_URL: databaseUrl }),
    }),
    world: { ...system, clock: { ...system.clock, now: () => system.clock.now() + off } },
    log: pino({ level: 'silent' }),
    parts: ['api', 'link'],
    time: 'process',
  })
  const poller = openPoller(console, () => system.clock.now() + off)
  let sent = 0
  try {
    for (const [at, [, offset]] of JUMPS.entries()) {
      off = offset()
      const poll = poller.begin()
      // Three Birds at once: one is right by the console's clock, one a day behind, one a day ahead.
      const birds = [off, off - DAY_MS, off + DAY_MS].map(async (clockOffMs, bird) => {
        const client = await register(console, clockOffMs, at * 3 + bird, events)
        const acked = await client.done
        client.close()
        return acked
      })
      sent += (await Promise.all(birds)).reduce((sum, acked) => sum + acked, 0)
      await poller.end(poll)
    }
    const last = await poller.everything()
    const counted = last.reduce((sum, it) => sum + Number(it.description.events_count), 0)
    return {
      jumps: JUMPS.length,
      changes: poller.changes(),
      missed: last.filter(({ updated_id }) => !poller.seen.has(updated_id)).length,
      unordered: poller.unordered(),
      miscounted: Math.abs(counted - sent),
      early: poller.early(),
      refused: poller.refused(),
    }
  } finally {
    await console.stop()
    removeFolder(folder)
  }
}

/** A Bird of its own with so many events; every ten of one source are one incident. */
async function register(
  console: Console,
  clockOffMs: number,
  bird: number,
  events: number,
): Promise<LinkClient> {
  const now = Date.now() + clockOffMs
  return connectLink({
    port: Number(new URL(console.linkUrl ?? '').port),
    key: keyPair(randomBytes(32)),
    spoolId: randomBytes(16).toString('hex'),
    enrol: parseEnrolment(await console.enrolLocalBird()).secret,
    clockOffMs,
    batchEvents: 20,
    eventOf: (seq) =>
      seq > events
        ? undefined
        : spooledEvent(seq, {
            at: now - (events - seq),
            srcHost: `10.${bird}.0.${Math.floor(seq / 10) % 250}`,
          }),
  })
}

function openPoller(console: Console, now: () => number) {
  const seen = new Set<number>()
  let since = 0
  let unordered = 0
  let refused = 0
  let early = 0
  let isEnding = false

  async function list(params: Record<string, string>): Promise<Listed> {
    const query = new URLSearchParams({ tz: 'Europe/Berlin', event_limit: '0', ...params })
    const response = await fetch(`${console.apiUrl}/api/v1/incidents/all?${query.toString()}`, {
      headers: { 'X-Auth-Token': ADMIN },
    })
    if (response.status !== 200) refused++
    return response.status === 200 ? ((await response.json()) as Listed) : { incidents: [] }
  }

  async function poll(): Promise<void> {
    for (;;) {
      const wasEnding = isEnding
      const { incidents, max_updated_id } = await list({ incidents_since: String(since), limit: '200' })
      let before = since
      for (const { updated_id, description } of incidents) {
        if (updated_id <= before) unordered++
        before = updated_id
        seen.add(updated_id)
        if (Number(description.created) * 1000 > now() + 1_000) early++
      }
      since = max_updated_id ?? since
      if (incidents.length > 0) continue
      if (wasEnding) return
      await pause(10)
    }
  }
  return {
    seen,
    begin() {
      isEnding = false
      // Times of the earlier clock are not later than the present time of this one.
      return poll()
    },
    async end(polling: Promise<void>) {
      isEnding = true
      await polling
    },
    everything: async () => (await list({})).incidents,
    changes: () => seen.size,
    unordered: () => unordered,
    refused: () => refused,
    early: () => early,
  }
}
