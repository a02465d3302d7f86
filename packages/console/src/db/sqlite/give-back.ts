// Gives pages of the file that nothing uses any more back to the disk, a few at a time.
import type { Tx } from '../query.ts'

/** Of 4 KiB: some milliseconds. */
const PAGES_PER_STEP = 1_000
/** What is removed each day is soon needed again: a tenth of the file stays. */
const KEPT_SHARE = 10

/** Whether there is more to give back. A file of before `auto_vacuum` keeps its pages for its own use. */
export async function giveBackPages(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows<{ free: number; pages: number; mode: number }>(
    `SELECT (SELECT freelist_count FROM pragma_freelist_count) AS free, (SELECT page_count FROM pragma_page_count) AS pages,
       (SELECT auto_vacuum FROM pragma_auto_vacuum) AS mode`,
    [],
  )
  const INCREMENTAL = 2
  if (!row || row.mode !== INCREMENTAL || row.free < row.pages / KEPT_SHARE + PAGES_PER_STEP) return false
  await tx.rows(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`, [])
  return true
}
