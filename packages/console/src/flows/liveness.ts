// Which Birds have fallen silent, and which are back? One incident 1004 for each outage, one for each return.
// Every console judges; the row that is read again inside the transaction decides, so that an outage is told once.
import type { Logtype } from '@rookery/kernel/logtype.ts'
import type { Base } from '../base.ts'
import type { Row, Tx } from '../db/query.ts'
import { hasOpenCommand } from '../stores/birds/commands.store.ts'
import { removeBird } from '../stores/birds/commission.ts'
import {
  countLive,
  returnedBirds,
  setLiveness,
  silentBirds,
  type JudgedBird,
} from '../stores/birds/liveness.store.ts'
import { readSettings } from '../stores/settings/store.ts'
import type { Arrival } from './raise/arrival.ts'
import { raise, type Raising } from './raise/raise.ts'

export interface Liveness {
  /** Judges now. */
  judge(): Promise<void>
  stop(): void
}

export interface Judging extends Pick<Base, 'reader' | 'writer' | 'config' | 'world' | 'log'> {
  readonly raising: Raising
  /** New incidents are committed. */
  readonly onRaised: (created: number) => void
}

const EVERY_MS = 5_000
/** Nobody is judged before the console has listened for so long; nor after it was itself away (asleep, clock moved). */
const LISTENING_MS = 120_000
const OWN_GAP_MS = 60_000
/** A loss of at least so many Birds and more than this share of all at once is one alert. */
const MANY = 5
const SHARE = 0.2

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
      return (await raise(tx, arrivals, raising)).length
    })
    if (created > 0) onRaised(created)
  }

  async function lose(tx: Tx, silentSince: number, now: number): Promise<Arrival[]> {
    const silent = await silentBirds(tx.query, silentSince)
    if (silent.length === 0) return []
    const liveBefore = await countLive(tx.query)
    const lost: JudgedBird[] = []
    for (const bird of silent) {
      // It was told to go, and has gone without a word.
      if (bird.state === 'registered' && (await hasOpenCommand(tx.query, bird.node_id, 'decommission'))) {
        await removeBird(tx, bird, world)
      } else if (bird.state === 'registered') lost.push(bird)
    }
    await setLiveness(
      tx,
      silent.map(({ node_id, state, last_seen_at, reconnect_count }): Row => ({
        node_id,
        live: 0,
        offline_since: state === 'registered' ? last_seen_at : null,
        reconnect_count,
        updated_at: now,
      })),
    )
    return disconnections(lost, liveBefore, now)
  }

  async function welcomeBack(tx: Tx, now: number): Promise<Arrival[]> {
    const back = await returnedBirds(tx.query)
    await setLiveness(
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

/** One incident each; when very many go at once, only the first that may be told is. */
function disconnections(lost: readonly JudgedBird[], liveBefore: number, now: number): Arrival[] {
  const isMass = lost.length >= MANY && lost.length > liveBefore * SHARE
  const isMuted = (bird: JudgedBird): boolean => bird.ignore_disconnect === 1
  const speaker = lost.find((bird) => !isMuted(bird) && bird.ignore_general === 0)
  return lost.map((bird) =>
    arrival(
      bird,
      DISCONNECTED,
      // The outage is part of the name: two outages never become one incident, one is never told twice.
      `offline/${bird.last_seen_at}`,
      isMuted(bird) || (isMass && bird !== speaker),
      now,
      isMass
        ? {
            NOTE: `${lost.length} of ${liveBefore} Birds fell silent at once; this is the one alert for all of them.`,
          }
        : {},
    ),
  )
}

const arrival = (
  bird: JudgedBird,
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
