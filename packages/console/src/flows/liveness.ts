// Which Birds have fallen silent, and which are back? One incident 1004 for each outage, one for each return.
// Every console judges; the row that is read again inside the transaction decides, so that an outage is told once.
import type { Logtype } from '@rookery/kernel/logtype.ts'
import type { Base } from '../base.ts'
import type { Row, Tx } from '../db/query.ts'
import { hasOpenCommand } from '../stores/birds/commands.store.ts'
import { DECOMMISSION, removeBird } from '../stores/birds/commission.ts'
import {
  countLive,
  outagesSince,
  returnedBirds,
  silentBirds,
  type LivenessBird,
} from '../stores/birds/liveness.store.ts'
import { changeBirds } from '../stores/birds/store.ts'
import { readSettings } from '../stores/settings/store.ts'
import type { Arrival } from './raise/arrival.ts'
import type { NewIncident } from './raise/plan.ts'
import { raise, type Raising } from './raise/raise.ts'

export interface Liveness {
  /** Judges now. */
  judge(): Promise<void>
  stop(): void
}

export interface Judging extends Pick<Base, 'reader' | 'writer' | 'config' | 'world' | 'log'> {
  readonly raising: Raising
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}

const EVERY_MS = 5_000
/** Nobody is judged before the console has listened for so long; nor after it was itself away (asleep, clock moved). */
const LISTENING_MS = 120_000
const OWN_GAP_MS = 60_000
/** A loss of at least so many Birds and more than this share of all at once is one alert. */
const MANY = 5
const SHARE = 0.2
/** Two heartbeats: whoever missed them when another Bird is judged lost is part of the same loss. */
const SAME_LOSS_MS = 60_000

const DISCONNECTED: Logtype = { logtype: '1004', summary: 'Bird Disconnected', slug: 'devicedied' }
const RECONNECTED: Logtype = { logtype: '1004', summary: 'Bird Reconnected', slug: 'devicereconnected' }

export function openLiveness({ reader, writer, config, world, log, raising, onRaised }: Judging): Liveness {
  const { clock } = world
  let listeningSince = clock.now()
  let lastRound = clock.now()
  let judging: Promise<void> | undefined
  let isStopped = false

  async function round(): Promise<void> {
    const now = clock.now()
    if (Math.abs(now - lastRound) > OWN_GAP_MS) listeningSince = now
    lastRound = now
    const { bird_silence_s } = await config.get('settings', readSettings)
    const hasListened = now - listeningSince >= LISTENING_MS
    const silentSince = hasListened ? now - Number(bird_silence_s) * 1000 : Number.MIN_SAFE_INTEGER
    const isQuiet =
      (await silentBirds(reader, silentSince)).length === 0 && (await returnedBirds(reader)).length === 0
    if (isQuiet) return
    const created = await writer.write(async (tx) => {
      const arrivals = [...(await lose(tx, silentSince, now)), ...(await welcomeBack(tx, now))]
      return raise(tx, arrivals, raising)
    })
    if (created.length > 0) onRaised(created)
  }

  async function lose(tx: Tx, silentSince: number, now: number): Promise<Arrival[]> {
    const silent = await silentBirds(tx.query, silentSince)
    if (silent.length === 0) return []
    const loss = await lossAround(tx, silent, now)
    const gone: LivenessBird[] = []
    for (const bird of silent) {
      // It was told to go, and has gone without a word.
      if (bird.state === 'registered' && (await hasOpenCommand(tx.query, bird.node_id, DECOMMISSION))) {
        await removeBird(tx, bird, world)
      } else gone.push(bird)
    }
    await changeBirds(
      tx,
      gone.map(({ node_id, state, last_seen_at, reconnect_count }): Row => ({
        node_id,
        live: 0,
        offline_since: state === 'registered' ? last_seen_at : null,
        reconnect_count,
        updated_at: now,
      })),
    )
    return disconnections(
      gone.filter((bird) => bird.state === 'registered'),
      loss,
      now,
    )
  }

  async function welcomeBack(tx: Tx, now: number): Promise<Arrival[]> {
    const back = await returnedBirds(tx.query)
    await changeBirds(
      tx,
      back.map(({ node_id, reconnect_count }): Row => ({
        node_id,
        live: 1,
        offline_since: null,
        reconnect_count: reconnect_count + 1,
        updated_at: now,
      })),
    )
    return back
      .filter((bird) => bird.state === 'registered')
      .map((bird) =>
        arrival(bird, RECONNECTED, `online/${bird.offline_since}`, bird.ignore_reconnect === 1, now),
      )
  }

  function judge(): Promise<void> {
    judging ??= round()
      .catch((error: unknown) => log.warn({ err: error }, 'liveness could not be judged'))
      .finally(() => (judging = undefined))
    return judging
  }

  let cancel = clock.after(EVERY_MS, next)
  function next(): void {
    void judge().then(() => {
      if (!isStopped) cancel = clock.after(EVERY_MS, next)
    })
  }

  return {
    judge,
    stop() {
      isStopped = true
      cancel()
    },
  }
}

/** What is lost together: Birds that beat every 30 s do not all pass the limit in the same round. */
interface Loss {
  readonly birds: number
  readonly of: number
  /** Somebody was told already. */
  readonly isTold: boolean
}

async function lossAround(tx: Tx, silent: readonly LivenessBird[], now: number): Promise<Loss> {
  const first = Math.min(...silent.map((bird) => bird.last_seen_at))
  const earlier = await outagesSince(tx.query, first - SAME_LOSS_MS)
  const missing = (await silentBirds(tx.query, now - SAME_LOSS_MS)).filter(
    (bird) => bird.state === 'registered',
  )
  return {
    birds: earlier.length + missing.length,
    of: earlier.length + (await countLive(tx.query)),
    isTold: earlier.some(mayTell),
  }
}

const mayTell = (bird: LivenessBird): boolean => bird.ignore_disconnect === 0 && bird.ignore_general === 0

/** One incident each; when very many go at once, only the first that may be told is. */
function disconnections(lost: readonly LivenessBird[], loss: Loss, now: number): Arrival[] {
  const isMass = loss.birds >= MANY && loss.birds > loss.of * SHARE
  const speaker = loss.isTold ? undefined : lost.find(mayTell)
  const note = `${loss.birds} of ${loss.of} Birds fell silent at once; one alert speaks for all of them.`
  return lost.map((bird) =>
    arrival(
      bird,
      DISCONNECTED,
      // The outage is part of the name: two outages never become one incident, one is never told twice.
      `offline/${bird.last_seen_at}`,
      bird.ignore_disconnect === 1 || (isMass && bird !== speaker),
      now,
      isMass ? { NOTE: note } : {},
    ),
  )
}

const arrival = (
  bird: LivenessBird,
  logtype: Logtype,
  instance: string,
  muted: boolean,
  now: number,
  fields: Arrival['touch']['fields'] = {},
): Arrival => ({
  logtype,
  receivedAt: now,
  late: false,
  subject: {
    flockId: bird.flock_id,
    name: bird.name,
    memo: null,
    ipAddress: bird.ip_address,
    ippers: bird.ippers,
    macAddress: bird.mac_address,
    muted: muted || bird.ignore_general === 1,
  },
  touch: {
    nodeId: bird.node_id,
    logtype: logtype.logtype,
    instance,
    at: now,
    srcHost: '',
    srcPort: -1,
    dstHost: bird.ip_address,
    dstPort: -1,
    fields,
  },
})
