// Finds Birds that have fallen silent and Birds that are back: one incident 1004 for each outage, one for each return.
// Every console checks; each reads the rows again inside its transaction, so that an outage raises one incident.
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import type { Row, Tx } from '../../db/query.ts'
import { hasOpenCommand } from '../../stores/birds/commands.store.ts'
import { DECOMMISSION, removeBird } from '../../stores/birds/commission.ts'
import {
  countLive,
  outagesSince,
  returnedBirds,
  silentBirds,
  type LivenessBird,
} from '../../stores/birds/liveness.store.ts'
import { changeBirds } from '../../stores/birds/store.ts'
import { readSettings } from '../../stores/settings/store.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type RaiseDeps } from '../raise/raise.ts'
import { disconnections, isAlerted, reconnections, type Loss } from './outages.ts'

export interface Liveness {
  /** Checks now; resolves when nothing is being checked. */
  check(): Promise<void>
}

export interface LivenessDeps extends Pick<
  AppContext,
  'reader' | 'writer' | 'config' | 'world' | 'log' | 'background'
> {
  readonly raising: RaiseDeps
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}

const INTERVAL_MS = 5_000
/** No Bird is silent before the console has listened for so long, also after a pause of its own or of its database. */
const LISTENING_MS = 120_000
/** A longer pause between two checks: the machine slept, or its clock was set. */
const OWN_PAUSE_MS = 60_000
/** Two heartbeats: a Bird that missed them when another is found silent is part of the same loss. */
const SAME_LOSS_MS = 60_000
const TASK = task(
  'liveness',
  INTERVAL_MS,
  'Raises an incident of a Bird that is silent, and notes its return',
)

export function openLiveness(deps: LivenessDeps): Liveness {
  const { reader, writer, config, world, log, raising, onRaised } = deps
  const { clock } = world
  let listeningSince = clock.now()
  let lastCheckAt = clock.now()

  async function run(): Promise<number> {
    const now = clock.now()
    if (Math.abs(now - lastCheckAt) > OWN_PAUSE_MS) listeningSince = now
    lastCheckAt = now
    const { bird_silence_s } = await config.get('settings', readSettings)
    const hasListened = now - listeningSince >= LISTENING_MS
    const silentSince = hasListened ? now - Number(bird_silence_s) * 1000 : Number.MIN_SAFE_INTEGER
    const hasWork =
      (await silentBirds(reader, silentSince)).length > 0 || (await returnedBirds(reader)).length > 0
    if (hasWork) {
      const created = await writer.write(async (tx) => {
        const arrivals = [
          ...(await openOutages(tx, world, silentSince, now)),
          ...(await closeOutages(tx, now)),
        ]
        return raise(tx, arrivals, raising)
      })
      if (created.length > 0) onRaised(created)
    }
    return now + INTERVAL_MS
  }

  const loop = deps.background.loop(TASK, {
    clock,
    run,
    onError(error) {
      // Heartbeats could not be stored either.
      listeningSince = clock.now()
      log.warn({ err: error }, 'liveness of Birds could not be checked; retrying in 5 s')
      return INTERVAL_MS
    },
  })
  loop.wake()
  return {
    check() {
      loop.wake()
      return loop.idle()
    },
  }
}

async function openOutages(
  tx: Tx,
  world: LivenessDeps['world'],
  silentSince: number,
  now: number,
): Promise<Arrival[]> {
  const silent = await silentBirds(tx.query, silentSince)
  if (silent.length === 0) return []
  const loss = await lossAround(tx, silent, now)
  const lost: LivenessBird[] = []
  for (const bird of silent) {
    // A Bird that was sent its decommission and fell silent has left.
    if (bird.state === 'registered' && (await hasOpenCommand(tx.query, bird.node_id, DECOMMISSION))) {
      await removeBird(tx, bird, world)
    } else lost.push(bird)
  }
  await changeBirds(
    tx,
    lost.map(({ node_id, state, last_seen_at, reconnect_count }): Row => ({
      node_id,
      live: 0,
      offline_since: state === 'registered' ? last_seen_at : null,
      reconnect_count,
      updated_at: now,
    })),
  )
  return disconnections(
    lost.filter(({ state }) => state === 'registered'),
    loss,
    now,
  )
}

async function closeOutages(tx: Tx, now: number): Promise<Arrival[]> {
  const returned = await returnedBirds(tx.query)
  await changeBirds(
    tx,
    returned.map(({ node_id, reconnect_count }): Row => ({
      node_id,
      live: 1,
      offline_since: null,
      reconnect_count: reconnect_count + 1,
      updated_at: now,
    })),
  )
  return reconnections(
    returned.filter(({ state }) => state === 'registered'),
    now,
  )
}

/** Birds that fall silent together do not all pass the limit in the same check: heartbeats come every 30 s. */
async function lossAround(tx: Tx, silent: readonly LivenessBird[], now: number): Promise<Loss> {
  const first = Math.min(...silent.map(({ last_seen_at }) => last_seen_at))
  const earlier = await outagesSince(tx.query, first - SAME_LOSS_MS)
  const missing = await silentBirds(tx.query, now - SAME_LOSS_MS)
  return {
    birds: earlier.length + missing.filter(({ state }) => state === 'registered').length,
    of: earlier.length + (await countLive(tx.query)),
    notifiedFlocks: earlier.filter(isAlerted).map(({ flock_id }) => flock_id),
  }
}
