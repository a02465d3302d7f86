// Rows that only take room go, in small steps that let ingest pass: aggregation keys that can take no touch any more,
// settled orders to Birds.
import type { Base } from '../base.ts'
import type { Tx } from '../db/query.ts'
import { removeSettledCommands } from '../stores/birds/commands.store.ts'
import { removeQuietKeys } from '../stores/incidents/open.store.ts'

export interface Housekeeping {
  /** Removes everything that is due now. */
  sweep(): Promise<void>
  stop(): void
}

const EVERY_MS = 600_000
const PER_STEP = 1_000
const COMMANDS_KEPT_MS = 30 * 86_400_000

type Step = (tx: Tx, before: number, most: number) => Promise<number>

/** `quietMs`: silence after which an incident takes no more touches. */
export function openHousekeeping(
  { writer, world, log }: Pick<Base, 'writer' | 'world' | 'log'>,
  quietMs: number,
): Housekeeping {
  const { clock } = world
  let stopped = false
  let cancel = (): void => undefined

  async function removeAll(step: Step, before: number): Promise<void> {
    while (!stopped && (await writer.write((tx) => step(tx, before, PER_STEP))) === PER_STEP);
  }

  async function sweep(): Promise<void> {
    await removeAll(removeQuietKeys, clock.now() - quietMs)
    await removeAll(removeSettledCommands, clock.now() - COMMANDS_KEPT_MS)
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
