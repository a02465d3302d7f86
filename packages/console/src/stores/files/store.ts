// Files that are larger than a row, in chunks: written a few in each transaction, so that a large file delays nobody.
import { sql } from 'kysely'
import type { Query, Tx } from '../../db/query.ts'
import type { StoredFileTables } from './tables.ts'

export type StoredFileRow = StoredFileTables['stored_file']

/** `stored_at` of a file that nothing needs any more: it is removed by the next sweep. */
const RELEASED = 0

/** Begins a file that nobody owns yet. */
export const addFile = (
  tx: Tx,
  file: Pick<StoredFileRow, 'file_id' | 'use' | 'size' | 'stored_at'>,
): Promise<void> => tx.insertMany('stored_file', [{ ...file, owner: '', sha256: '' }])

/** Bytes of all files, those that are being written among them. */
export async function totalBytes(db: Query): Promise<number> {
  const row = await db
    .selectFrom('stored_file')
    .select(sql<number | string | null>`SUM(size)`.as('total'))
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

export async function addChunk(tx: Tx, chunk: StoredFileTables['stored_file_chunk']): Promise<void> {
  await tx.query.insertInto('stored_file_chunk').values(chunk).execute()
}

/** All bytes are stored: the file belongs to its owner. False when it was removed meanwhile. */
export async function completeFile(
  tx: Tx,
  fileId: string,
  change: Pick<StoredFileRow, 'owner' | 'sha256' | 'size'>,
): Promise<boolean> {
  const row = await tx.query
    .updateTable('stored_file')
    .set(change)
    .where('file_id', '=', fileId)
    .where('stored_at', '<>', RELEASED)
    .returning('file_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The next sweep removes the file. */
export const releaseFile = (tx: Tx, fileId: string): Promise<void> =>
  tx.updateMany('stored_file', ['file_id'], [{ file_id: fileId, owner: '', stored_at: RELEASED }])

/** Some bytes of one chunk, counted from 0; undefined for a chunk that does not exist. */
export async function readPart(
  db: Query,
  {
    fileId,
    n,
    from,
    length,
  }: { readonly fileId: string; readonly n: number; readonly from: number; readonly length: number },
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('stored_file_chunk')
    .select(
      sql<Uint8Array>`SUBSTR(bytes, CAST(${from + 1} AS INTEGER), CAST(${length} AS INTEGER))`.as('part'),
    )
    .where('file_id', '=', fileId)
    .where('n', '=', n)
    .executeTakeFirst()
  return row?.part
}

/** Removes up to `most` files that nobody owns, and that were begun before this time; answers how many. */
export async function removeFilesWithoutOwner(tx: Tx, before: number, most: number): Promise<number> {
  const rows = await tx.query
    .selectFrom('stored_file')
    .select('file_id')
    .where('owner', '=', '')
    .where('stored_at', '<', before)
    .orderBy('stored_at')
    .limit(most)
    .execute()
  const fileIds = rows.map(({ file_id }) => file_id)
  await tx.deleteMany('stored_file_chunk', 'file_id', fileIds)
  await tx.deleteMany('stored_file', 'file_id', fileIds)
  return fileIds.length
}
