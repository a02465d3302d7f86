// Rows that only take room go, in small steps that let ingest pass: settled orders to Birds.
import type { Base } from '../base.ts'
import { removeSettledCommands } from '../stores/birds/commands.store.ts'

export interface Housekeeping {
  /** Removes everything that is due now. */
  sweep(): Promise<void>
  stop(): void
}

const EVERY_MS = 600_000
const PER_STEP = 1_000
const COMMANDS_KEPT_MS = 30 * 86_400_000

export function openHousekeeping({
  writer,
  world,
  log,
}: Pick<Base, 'writer' | 'world' | 'log'>): Housekeeping {
  const { clock } = world
  let stopped = false
  let cancel = (): void => undefined

  async function sweepCommands(before: number): Promise<void> {
    while (
      !stopped &&
      (await writer.write((tx) => removeSettledCommands(tx, before, PER_STEP))) === PER_STEP
    );
  }

  async function sweep(): Promise<void> {
    await sweepCommands(clock.now() - COMMANDS_KEPT_MS)
  }

  function later(): void {
    cancel = clock.after(EVERY_MS, () => {
      sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed; trying again later'))
        .finally(() => (stopped ? undefined : later()))
    })
  }
  later()

  return {
    sweep,
    stop() {
      stopped = true
      cancel()
    },
  }
}
