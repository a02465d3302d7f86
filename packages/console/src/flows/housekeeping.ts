// Rows that only take room go, in small steps that let ingest pass: settled commands and old bundles of Birds, and positions
// of consoles that stopped long ago.
import { workerLoop } from '@rookery/kernel/worker-loop.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../db/query.ts'
import { removeSettledCommands } from '../stores/birds/commands.store.ts'
import { removeOldBundles } from '../stores/bundles/store.ts'
import { removeOldPositions } from '../stores/touches/positions.store.ts'

export interface Housekeeper {
  /** Removes everything that is due now. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

const EVERY_MS = 600_000
const ROWS_PER_STEP = 1_000
const DAY_MS = 86_400_000
const COMMANDS_KEPT_MS = 30 * DAY_MS
const BUNDLES_KEPT_MS = 90 * DAY_MS
/** A spool that is delivered later may count its last touches twice. */
const POSITIONS_KEPT_MS = 365 * DAY_MS

export function openHousekeeping({
  writer,
  world: { clock },
  log,
}: Pick<AppContext, 'writer' | 'world' | 'log'>): Housekeeper {
  let isStopped = false

  async function removeAll(remove: (tx: Tx) => Promise<number>): Promise<void> {
    let removed = ROWS_PER_STEP
    while (!isStopped && removed === ROWS_PER_STEP) removed = await writer.write(remove)
  }

  async function sweep(): Promise<void> {
    const now = clock.now()
    await removeAll((tx) => removeSettledCommands(tx, now - COMMANDS_KEPT_MS, ROWS_PER_STEP))
    await removeAll((tx) => removeOldBundles(tx, now - BUNDLES_KEPT_MS, ROWS_PER_STEP))
    await removeAll((tx) => removeOldPositions(tx, now - POSITIONS_KEPT_MS, ROWS_PER_STEP))
  }

  const loop = workerLoop({
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
    stop() {
      isStopped = true
      return loop.stop()
    },
  }
}
