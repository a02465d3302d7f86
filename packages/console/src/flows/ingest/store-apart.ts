// Stores a batch that failed as a whole, item by item: one bad touch must not cost the others.
import type { Logger } from 'pino'
import { Fault } from '@rookery/kernel/fault.ts'
import type { IngestItem } from './ingest-item.ts'
import { sanitizedItem, splitItem } from './sanitize-touch.ts'

export interface StoreApartDeps {
  /** One item in a transaction of its own; answers what is to be done after the commit. */
  readonly write: (item: IngestItem) => Promise<() => void>
  /** Does it. */
  readonly settle: (stored: () => void) => void
  readonly log: Pick<Logger, 'error'>
}

/** For each item nothing, or the error that it is rejected with. */
export async function storeApart(
  items: readonly IngestItem[],
  deps: StoreApartDeps,
): Promise<(Promise<never> | undefined)[]> {
  const failures: (Error | undefined)[] = []
  for (const item of items) failures.push(await storePieces(item, deps))
  return failures.map((failure) => failure && Promise.reject(failure))
}

async function storePieces(item: IngestItem, deps: StoreApartDeps): Promise<Error | undefined> {
  try {
    for (const piece of splitItem(item)) await storeAlone(piece, deps)
    return undefined
  } catch (error) {
    return error as Error
  }
}

async function storeAlone(item: IngestItem, { write, settle, log }: StoreApartDeps): Promise<void> {
  const stored = await write(item).catch((error: unknown) => {
    if (isOutage(error)) throw error
    log.error({ err: error }, 'could not store a touch; storing it sanitized')
    return write(sanitizedItem(item))
  })
  settle(stored)
}

/** An outage is the callers' to wait out. */
export const isOutage = (error: unknown): boolean => error instanceof Fault && error.code === 'unavailable'
