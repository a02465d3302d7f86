// G4: receivers that refuse, hang, answer 500 and reset for a day while alerts go on; then they are well again.
// The console runs in this process, so that its clock can be moved and its way out be a function.
import { pino } from 'pino'
import { openConsole, type Console } from '@rookery/console/build.ts'
import { readConfig } from '@rookery/console/config/config.ts'
import { systemWorld } from '@rookery/console/world/system.ts'
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { manualClock, type ManualClock } from '../../../packages/console/test/manual-clock.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { ADMIN, UNMETERED } from '../../rig/scenes/console.ts'
import { reading } from '../../rig/scenes/stored.ts'

export interface Outage {
  /** By receiver: what was wrong with it, and what came of the alerts. */
  readonly receivers: readonly Received[]
  /** Alerts that the outbox does not call delivered. */
  readonly undelivered: number
  /** The longest that an alert took to the receiver that was always well, milliseconds of the moved clock. */
  readonly healthyDelayMs: number
}

export interface Received {
  readonly name: string
  readonly tries: number
  readonly missing: number
  /** Accepted more than once. */
  readonly repeated: number
  readonly outOfOrder: number
  /** Alerts whose tries had different ids, and ids that two alerts shared. */
  readonly mixedIds: number
}

export interface OutageOptions {
  readonly alerts: number
  readonly hours?: number
}

type Ill = (clock: ManualClock, request: OutboundRequest) => Promise<OutboundAnswer>

const answer = (status: number): Promise<OutboundAnswer> => Promise.resolve({ status, headers: {}, body: '' })
const fail = (reason: string): Promise<never> => Promise.reject(new Error(reason))

/** How a receiver is ill. */
const ILLS: Readonly<Record<string, Ill>> = {
  refuses: () => fail('The connection was refused.'),
  hangs: (clock, { timeoutMs }) =>
    new Promise((_resolve, reject) =>
      clock.after(timeoutMs, () => reject(new Error('It did not answer in time.'))),
    ),
  'answers 500': () => answer(500),
  resets: () => fail('The connection was reset.'),
}
const HEALTHY = 'is well'

const HOUR_MS = 3_600_000
/** The longest wait between two tries after a day of failures, and some. */
const RECOVERY_HOURS = 30
const FLOCK = 'flock:default'

interface Try {
  readonly source: string
  readonly id: string
  readonly at: number
  readonly isAccepted: boolean
}

export async function outlastOutage({ alerts, hours = 24 }: OutageOptions): Promise<Outage> {
  const folder = freshFolder()
  const clock = manualClock()
  const tries = new Map<string, Try[]>([...Object.keys(ILLS), HEALTHY].map((name) => [name, []]))
  const raisedAt = new Map<string, number>()
  let areIll = true

  async function send(request: OutboundRequest): Promise<OutboundAnswer> {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
    const ill = areIll ? ILLS[name] : undefined
    const { SourceIP } = JSON.parse(request.body ?? '{}') as { SourceIP?: string }
    tries.get(name)?.push({
      source: SourceIP ?? '',
      id: request.headers['webhook-id'] ?? '',
      at: clock.now(),
      isAccepted: ill === undefined,
    })
    return ill ? ill(clock, request) : answer(204)
  }

  const open = (): Promise<Console> =>
    openConsole({
      config: readConfig({
        ROOKERY_DATA_DIR: folder,
        ROOKERY_LISTEN: '127.0.0.1:0',
        ROOKERY_BOOTSTRAP_KEY: ADMIN,
        ...UNMETERED,
      }),
      world: { ...systemWorld({ send }), clock },
      log: pino({ level: 'silent' }),
      parts: ['api'],
      // Each alert by itself: a digest of what exceeds 60 a minute would tell of many at once.
      alerting: { perMinute: Number.POSITIVE_INFINITY },
    })

  let console = await open()
  try {
    for (const name of tries.keys()) await addReceiver(console, name)
    const healthy = tries.get(HEALTHY) ?? []
    const steps = Math.max(2, Math.min(alerts, hours * 60))
    for (let step = 0; step < steps; step++) {
      const upto = Math.round((alerts * (step + 1)) / steps)
      while (raisedAt.size < upto) await raise(console, clock, raisedAt)
      await until(() => healthy.length >= raisedAt.size)
      clock.advance((hours * HOUR_MS) / steps)
      if (step === Math.floor(steps / 2)) {
        // In the middle of it all the console is started anew.
        await advanceUntil(clock, console.stop())
        console = await open()
      }
    }
    // The tries under way fail before the receivers are well: a receiver that takes the next message while it failed this
    // one gets this one reduced, without its source, which would be called missing.
    await advanceUntil(clock, console.dispatcher.idle())
    areIll = false
    for (let hour = 0; hour < RECOVERY_HOURS; hour++) {
      await console.dispatcher.idle()
      clock.advance(HOUR_MS)
    }
    await console.dispatcher.idle()
    await console.stop()
    const order = [...raisedAt.keys()]
    return {
      receivers: [...tries].map(([name, its]) => judge(name, its, order)),
      undelivered: undelivered(folder),
      healthyDelayMs: Math.max(...healthy.map(({ source, at }) => at - (raisedAt.get(source) ?? 0))),
    }
  } finally {
    await console.stop()
    removeFolder(folder)
  }
}

/** An incident of its own, from a source of its own. */
async function raise(console: Console, clock: ManualClock, raisedAt: Map<string, number>): Promise<void> {
  const nth = raisedAt.size
  const source = `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`
  const at = clock.now()
  raisedAt.set(source, at)
  await console.ingest.fromConsole({
    receivedAt: at,
    touch: {
      nodeId: '00000000000000aa',
      logtype: '4002',
      instance: 'ssh',
      at,
      srcHost: source,
      srcPort: 40_000,
      dstHost: '10.0.0.5',
      dstPort: 22,
      fields: { USERNAME: 'root', PASSWORD: 'toor' },
    },
    subject: {
      flockId: FLOCK,
      name: 'bird-1',
      memo: null,
      ipAddress: '10.0.0.5',
      ippers: '',
      macAddress: '',
      muted: false,
    },
  })
}

async function addReceiver(console: Console, name: string): Promise<void> {
  const response = await fetch(`${console.apiUrl ?? ''}/api/v1/flock/settings/webhooks/generic/add`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ADMIN },
    body: new URLSearchParams({
      flock_id: FLOCK,
      url: `https://alerts.example.com/${encodeURIComponent(name)}`,
    }),
  })
  if (!response.ok) throw new Error(`The receiver was refused: ${await response.text()}`)
}

/** Turns of the event loop until the claim is true. */
async function until(claim: () => boolean): Promise<void> {
  const patience = performance.now() + 20_000
  while (!claim()) {
    if (performance.now() > patience) throw new Error('The healthy receiver got no alert within 20 s.')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The clock goes on until the work is done: it waits for what is being sent, and who hangs is let go by the clock. */
async function advanceUntil(clock: ManualClock, work: Promise<void>): Promise<void> {
  let isOver = false
  const over = work.finally(() => (isOver = true))
  while (!isOver) {
    clock.advance(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await over
}

function judge(name: string, tries: readonly Try[], order: readonly string[]): Received {
  const accepted = tries.filter((it) => it.isAccepted).map((it) => it.source)
  const sources = new Set(accepted)
  const place = new Map(order.map((source, at) => [source, at]))
  const pairs = new Set(tries.map(({ source, id }) => `${source} ${id}`))
  const ids = new Set(tries.map(({ id }) => id))
  return {
    name,
    tries: tries.length,
    missing: order.filter((source) => !sources.has(source)).length,
    repeated: accepted.length - sources.size,
    outOfOrder: accepted.filter((source, at) => {
      const before = accepted[at - 1]
      return before !== undefined && (place.get(source) ?? -1) < (place.get(before) ?? -1)
    }).length,
    mixedIds: pairs.size - new Set(tries.map(({ source }) => source)).size + (pairs.size - ids.size),
  }
}

const undelivered = (folder: string): number =>
  reading(folder, (db) => {
    const row = db.prepare("SELECT count(*) AS n FROM delivery WHERE state <> 'delivered'").get() as {
      n: number
    }
    return row.n
  })
