// Uploaded files of tokens, in chunks: written before the token's row, a few in each transaction, so that a large file
// delays nobody. No touch reads them.
import { inList } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { TokenTables } from './tables.ts'

/** `stored_at` of a file that no token needs any more: it is removed by the next sweep. */
const RELEASED = 0

/** Begins a file that no token has yet. */
export const addFile = (tx: Tx, fileId: string, at: number): Promise<void> =>
  tx.insertMany('token_file', [{ file_id: fileId, token_id: '', stored_at: at }])

export async function addFileChunk(tx: Tx, chunk: TokenTables['token_file_chunk']): Promise<void> {
  await tx.query.insertInto('token_file_chunk').values(chunk).execute()
}

/** Gives files to a token, in the transaction that writes its row. */
export const attachFiles = (
  tx: Tx,
  files: readonly { readonly file_id: string; readonly token_id: string }[],
): Promise<void> =>
  tx.updateMany(
    'token_file',
    ['file_id'],
    files.map(({ file_id, token_id }) => ({ file_id, token_id })),
  )

/** One piece of a file; undefined behind its end, and for a file that was removed. */
export async function readFileChunk(db: Query, fileId: string, n: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('token_file_chunk')
    .select('bytes')
    .where('file_id', '=', fileId)
    .where('n', '=', n)
    .executeTakeFirst()
  return row?.bytes
}

/** The next sweep removes these files. */
export const releaseFiles = (tx: Tx, fileIds: readonly string[]): Promise<void> =>
  tx.updateMany(
    'token_file',
    ['file_id'],
    fileIds.map((file_id) => ({ file_id, token_id: '', stored_at: RELEASED })),
  )

/** The next sweep removes the files of these tokens. */
export async function releaseFilesOf(tx: Tx, tokenIds: readonly string[]): Promise<void> {
  await tx.query
    .updateTable('token_file')
    .set({ token_id: '', stored_at: RELEASED })
    .where(inList(tx.engine, 'token_id', tokenIds))
    .execute()
}

/** Removes up to `most` files that no token has, and that were stored before this time; answers how many. */
export async function removeFilesWithoutToken(tx: Tx, before: number, most: number): Promise<number> {
  const rows = await tx.query
    .selectFrom('token_file')
    .select('file_id')
    .where('token_id', '=', '')
    .where('stored_at', '<', before)
    .orderBy('stored_at')
    .limit(most)
    .execute()
  const fileIds = rows.map(({ file_id }) => file_id)
  await tx.deleteMany('token_file_chunk', 'file_id', fileIds)
  await tx.deleteMany('token_file', 'file_id', fileIds)
  return fileIds.length
}
