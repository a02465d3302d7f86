// Rows that only take room go, in small steps that let ingest pass: settled commands, old bundles and old transfers of Birds, positions of
// consoles that stopped long ago, their last commits, ended visits, old port scans, events that providers repeat no more, and
// files that no token has, or that no job of a Bird needs.
import { task } from '../background/task.ts'
import type { AppContext } from '../app-context.ts'
import { removeOldCommits } from '../db/last-commit.store.ts'
import type { Tx } from '../db/query.ts'
import { removeSettledCommands } from '../stores/birds/commands.store.ts'
import { removeOldBatches } from '../stores/batches/store.ts'
import { removeEndedSessions } from '../stores/sessions/store.ts'
import { signInRules } from '../stores/settings/sign-in.ts'
import { readSettings } from '../stores/settings/store.ts'
import { removeOldBundles } from '../stores/bundles/store.ts'
import { removeFilesWithoutOwner } from '../stores/files/store.ts'
import { removeOldSeenEvents } from '../stores/providers/seen.store.ts'
import { removeFilesWithoutToken } from '../stores/tokens/files.store.ts'
import { removeOldScans } from '../stores/scans/store.ts'
import { removeOldTransfers } from '../stores/transfers/store.ts'
import { removeOldPositions } from '../stores/touches/positions.store.ts'
import { removeOldVisits } from '../stores/touches/visits.store.ts'
import { endOverdue } from './files/transfers.ts'
import { MAX_VISIT_MS } from './ingest/filters/visit-dedup.ts'
import { TOGETHER_MS } from './ingest/birds/consolidated-scans.ts'

export interface Housekeeper {
  /** Removes everything that is due now. */
  sweep(): Promise<void>
  /** The same, in the background. */
  wake(): void
  stop(): Promise<void>
}

const EVERY_MS = 600_000
const ROWS_PER_STEP = 1_000
/** A file is up to 10 MiB, which is 40 rows of 64 pages. */
const FILES_PER_STEP = 4
/** A zip is up to 32 MiB, which is 128 such rows. */
const STORED_FILES_PER_STEP = 1
const DAY_MS = 86_400_000
const COMMANDS_KEPT_MS = 30 * DAY_MS
/** So long a bulk action can be undone. */
const BATCHES_KEPT_MS = 30 * DAY_MS
/** Of settings and of files. */
const BUNDLES_KEPT_MS = 90 * DAY_MS
/** An upload whose token does not follow within this time has failed, and so has one for a Bird that is not whole by then. */
const UPLOAD_MS = 3_600_000
/** A spool that is delivered later may count its last touches twice. */
const POSITIONS_KEPT_MS = 365 * DAY_MS
/** No provider repeats a report after so long. */
const SEEN_KEPT_MS = 30 * DAY_MS
/** Every console commits each few seconds, and asks about a commit for half a minute. */
const COMMITS_KEPT_MS = DAY_MS
const TASK = task(
  'housekeeping',
  EVERY_MS,
  'Removes what only takes room: ended sessions, old commands, bundles, scans and visits, files without a token',
  { runsLong: true },
)

export function openHousekeeping({
  writer,
  world: { clock },
  log,
  background,
}: Pick<AppContext, 'writer' | 'world' | 'log' | 'background'>): Housekeeper {
  let isStopped = false

  async function removeAll(
    remove: (tx: Tx, most: number) => Promise<number>,
    rowsPerStep = ROWS_PER_STEP,
  ): Promise<void> {
    let removed = rowsPerStep
    while (!isStopped && removed === rowsPerStep)
      removed = await writer.write((tx) => remove(tx, rowsPerStep))
  }

  async function sweep(): Promise<void> {
    const now = clock.now()
    await writer.write((tx) => endOverdue(tx, now))
    await removeAll((tx, most) => removeSettledCommands(tx, now - COMMANDS_KEPT_MS, most))
    await removeAll((tx, most) => removeOldBatches(tx, now - BATCHES_KEPT_MS, most))
    await writer.write(async (tx) =>
      removeEndedSessions(tx.query, now, signInRules(await readSettings(tx.query))),
    )
    await removeAll((tx, most) => removeOldBundles(tx, now - BUNDLES_KEPT_MS, most))
    await removeAll((tx, most) => removeOldTransfers(tx, now - BUNDLES_KEPT_MS, most))
    await removeAll((tx, most) => removeOldPositions(tx, now - POSITIONS_KEPT_MS, most))
    await removeAll((tx, most) => removeOldVisits(tx, now - MAX_VISIT_MS, most))
    await removeAll((tx, most) => removeOldCommits(tx, now - COMMITS_KEPT_MS, most))
    await removeAll((tx, most) => removeOldScans(tx, now - TOGETHER_MS, most))
    await removeAll((tx, most) => removeOldSeenEvents(tx, now - SEEN_KEPT_MS, most))
    await removeAll((tx, most) => removeFilesWithoutToken(tx, now - UPLOAD_MS, most), FILES_PER_STEP)
    await removeAll((tx, most) => removeFilesWithoutOwner(tx, now - UPLOAD_MS, most), STORED_FILES_PER_STEP)
  }

  const loop = background.loop(TASK, {
    clock,
    async run() {
      await sweep()
      return clock.now() + EVERY_MS
    },
    onError(error) {
      log.warn({ err: error }, 'housekeeping failed; retrying in 10 min')
      return EVERY_MS
    },
  })
  loop.wake()

  return {
    sweep,
    wake: loop.wake,
    stop() {
      isStopped = true
      return loop.stop()
    },
  }
}
