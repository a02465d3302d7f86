// Rows that only take room go, in small steps that let ingest pass: aggregation keys that can take no touch any more,
// settled orders to Birds.
import type { Base } from '../base.ts'
import { removeSettledCommands } from '../stores/birds/commands.store.ts'
import { quietKeys, removeQuietKeys } from '../stores/incidents/open.store.ts'

export interface Housekeeping {
  /** Removes everything that is due now. */
  sweep(): Promise<void>
  stop(): void
}

const EVERY_MS = 600_000
const PER_STEP = 1_000
const COMMANDS_KEPT_MS = 30 * 86_400_000

/** `quietMs`: silence after which an incident takes no more touches. */
export function openHousekeeping(
  { engine, writer, world, log }: Pick<Base, 'engine' | 'writer' | 'world' | 'log'>,
  quietMs: number,
): Housekeeping {
  const { clock } = world
  let stopped = false
  let cancel = (): void => undefined

  async function sweepKeys(before: number): Promise<void> {
    let keys: string[]
    do {
      keys = await quietKeys(engine, before, PER_STEP)
      if (keys.length > 0) await writer.write((tx) => removeQuietKeys(tx, keys, before))
    } while (!stopped && keys.length === PER_STEP)
  }

  async function sweepCommands(before: number): Promise<void> {
    while (
      !stopped &&
      (await writer.write((tx) => removeSettledCommands(tx, before, PER_STEP))) === PER_STEP
    );
  }

  async function sweep(): Promise<void> {
    await sweepKeys(clock.now() - quietMs)
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
