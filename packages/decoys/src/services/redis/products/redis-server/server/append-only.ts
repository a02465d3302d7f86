// The append-only file: a file that a rewrite made (RDB), and the commands behind it. Nothing is kept but its size, as INFO says it.
import type { Call, Server } from '../call.ts'
import { rdbFile } from '../rdb/file.ts'
import { overhead, sizeClass } from './allocation.ts'
import { EMPTY_BUFFER } from './append-only-state.ts'
import { streamedBytes } from './command-stream.ts'
import { usedMemory } from './server-process.ts'

const MAX_BUFFER = 4_000

export const isAppending = ({ config }: Server): boolean => config.get('appendonly') === 'yes'

/** A command has written: it is appended, behind a SELECT where the database is another one. */
export function noteAppended({ server, client, args }: Call): void {
  if (!isAppending(server)) return
  const file = server.appendOnly
  const bytes = streamedBytes(args, client.db, file.db)
  file.db = client.db
  file.appended += bytes
  file.sinceRewrite += bytes
  // As sds grows: to twice what is needed.
  if (bytes > file.buffer) file.buffer = sizeClass(2 * bytes + overhead(2 * bytes))
  if (file.buffer >= MAX_BUFFER) file.buffer = EMPTY_BUFFER
}

/** The buffer goes with the file. */
export function closeFile({ appendOnly }: Server): void {
  appendOnly.buffer = EMPTY_BUFFER
}

/** A larger data set is not written to learn its size. */
const MAX_WRITTEN = 65_536
const EMPTY_BASE = 89

/** A rewrite begins; how large the file will be that it makes. */
export function beginRewrite({ server, context, now }: Pick<Call, 'server' | 'context' | 'now'>): number {
  const { appendOnly, keyspace, config } = server
  Object.assign(appendOnly, { sinceRewrite: 0, db: undefined })
  if (keyspace.bytes > MAX_WRITTEN) return EMPTY_BASE + keyspace.bytes
  return rdbFile({ keyspace, config, now }, [
    ['redis-ver', '7.0.15'],
    ['redis-bits', '64'],
    ['ctime', String(Math.floor(now / 1000))],
    ['used-mem', String(usedMemory({ context, server }))],
    ['aof-base', '1'],
  ]).length
}

export function endRewrite(server: Server, base: number): void {
  if (!isAppending(server)) return
  const { sinceRewrite } = server.appendOnly
  Object.assign(server.appendOnly, { base, appended: sinceRewrite })
}

/** What INFO has besides, while commands are appended. */
export function appendOnlyFields(server: Server): Record<string, number> {
  if (!isAppending(server)) return {}
  const { base, appended } = server.appendOnly
  return {
    aof_current_size: base + appended,
    aof_base_size: base,
    aof_pending_rewrite: Number(server.children.scheduled.has('rewrite')),
    aof_buffer_length: 0,
    aof_pending_bio_fsync: 0,
    aof_delayed_fsync: 0,
  }
}

export const appendBuffer = (server: Server): number => (isAppending(server) ? server.appendOnly.buffer : 0)
