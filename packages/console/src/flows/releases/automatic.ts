// Birds are updated without a person, a few first; the first failure stops that, with one incident (23009).
import type { WorkerLoop } from '@rookery/kernel/worker-loop.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query, Tx } from '../../db/query.ts'
import { findBird } from '../../stores/birds/store.ts'
import { newestRelease, type ReleaseRow } from '../../stores/releases/store.ts'
import { readSettings, writeSetting } from '../../stores/settings/store.ts'
import {
  birdsWithout,
  outcomesOf,
  type OutdatedBird,
  type UpdateOutcome,
} from '../../stores/transfers/updates.store.ts'
import { consoleArrival } from '../raise/console-arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type RaiseDeps } from '../raise/raise.ts'
import { decide, type Decision } from './decide.ts'
import { startUpdate, updateObstacles } from './update-bird.ts'

export interface AutomaticUpdatesDeps extends Pick<
  AppContext,
  'reader' | 'writer' | 'world' | 'log' | 'vault' | 'background'
> {
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
}

interface Plan {
  readonly release: ReleaseRow
  /** That could be given it now. */
  readonly birds: readonly OutdatedBird[]
  readonly decision: Decision
}

const LOOK_MS = 60_000
const TASK = task('bird_updates', LOOK_MS, 'Updates Birds by themselves, a few first')
const LOGTYPE = '23009'

export function openAutomaticUpdates({
  reader,
  writer,
  world,
  vault,
  log,
  background,
  raising,
  onRaised,
}: AutomaticUpdatesDeps): WorkerLoop {
  const { clock } = world

  async function plan(db: Query): Promise<Plan | undefined> {
    const settings = await readSettings(db)
    const release = settings.automatic_updates === 'true' ? await newestRelease(db) : undefined
    if (!release || settings.automatic_updates_stopped === release.tag) return undefined
    const obstacle = updateObstacles(release)
    const outdated = await birdsWithout(db, release.version, 'all')
    const birds = outdated.filter((bird) => bird.live === 1 && obstacle(bird) === undefined)
    if (birds.length === 0) return undefined
    const outcomes = await outcomesOf(db, release.tag)
    const since = Number(settings.automatic_updates_since)
    return { release, birds, decision: decide({ candidates: birds.length, outcomes, since }, clock.now()) }
  }

  async function carryOut(tx: Tx, planned: Plan | undefined): Promise<readonly NewIncident[]> {
    if (planned?.decision.kind === 'stop') return stopRun(tx, planned.release, planned.decision.failed)
    if (planned?.decision.kind !== 'start') return []
    for (const bird of planned.birds.slice(0, planned.decision.most))
      await startUpdate(tx, { world, vault }, bird, planned.release)
    return []
  }

  async function stopRun(tx: Tx, { tag, version }: ReleaseRow, { node_id, reason }: UpdateOutcome) {
    await writeSetting(tx, 'automatic_updates_stopped', tag)
    const bird = await findBird(tx.query, 'all', node_id)
    const fields = { BIRD: bird?.name ?? node_id, VERSION: version, REASON: reason }
    const said = { logtype: LOGTYPE, instance: 'updates', srcHost: '', fields }
    return raise(tx, [consoleArrival(said, clock.now())], raising)
  }

  const loop = background.loop(TASK, {
    clock,
    async run() {
      const soon = clock.now() + LOOK_MS
      const decision = (await plan(reader))?.decision
      if (decision?.kind === 'wait') return Math.min(decision.until ?? soon, soon)
      if (!decision) return soon
      // Decided once more in the transaction that begins: of two consoles one does.
      const created = await writer.write(async (tx) => carryOut(tx, await plan(tx.query)))
      if (created.length > 0) onRaised(created)
      return soon
    },
    onError(error) {
      log.warn({ err: error }, 'Birds could not be updated by themselves; retrying in 1 min')
      return LOOK_MS
    },
  })
  loop.wake()
  return loop
}
