// Brings new incidents into the search index, block by block, behind their commit (decision 0012).
import type { Base } from '../../base.ts'
import type { Finder } from '../../incidents/finding/finder.ts'
import { openLease } from '../../db/lease.ts'
import { PROVISIONAL_ROWS } from '../../stores/incidents/block.ts'
import { storeBlock } from '../../stores/incidents/index-writing.store.ts'

export interface SearchIndex {
  /** Brings in everything that fills a block; resolves with how many blocks that were. */
  catchUp(): Promise<number>
  stop(): Promise<void>
}

const EVERY_MS = 1_000
/** Between two blocks of a backlog: ingest goes first. */
const PAUSE_MS = 5

export function openSearchIndex(
  base: Pick<Base, 'engine' | 'writer' | 'world' | 'log'>,
  finder: Pick<Finder, 'draft'>,
): SearchIndex {
  const { engine, writer, world, log } = base
  /** The last number given when there was no block to draft. */
  let draftedUpTo = 0
  let cancel = (): void => undefined
  let running: Promise<number> | undefined
  let isHeld = false
  let stopped = false

  async function work(): Promise<number> {
    for (let blocks = 0; ; blocks++) {
      const { updated_id } = await engine.commitSequence()
      const prepared = stopped ? undefined : await finder.draft()
      if (!prepared) draftedUpTo = updated_id
      if (!prepared || stopped) return blocks
      await writer.write((tx) => storeBlock(tx, prepared))
      await new Promise<void>((resolve) => void world.clock.after(PAUSE_MS, resolve))
    }
  }

  const catchUp = (): Promise<number> => (running ??= work().finally(() => (running = undefined)))

  const catchUpIfWorthwhile = async (): Promise<void> => {
    const { updated_id } = await engine.commitSequence()
    // The thread that drafts is left asleep on a quiet console.
    if (updated_id - draftedUpTo >= PROVISIONAL_ROWS) await catchUp()
  }

  function later(): void {
    cancel = world.clock.after(EVERY_MS, () => {
      catchUpIfWorthwhile()
        .catch((error: unknown) => {
          if (!stopped) log.warn({ err: error }, 'the search index fell behind; trying again')
        })
        .finally(() => (stopped || !isHeld ? undefined : later()))
    })
  }

  const lease = openLease(
    base,
    'search-index',
    () => {
      isHeld = true
      later()
    },
    () => {
      isHeld = false
      cancel()
    },
  )

  return {
    catchUp,
    async stop() {
      stopped = true
      cancel()
      await running?.catch(() => undefined)
      await lease.stop()
    },
  }
}
