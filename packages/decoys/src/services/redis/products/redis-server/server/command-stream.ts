// Commands as replicas and the append-only file get them.
import { bulks } from '../../../protocol/resp.ts'

/** Bytes of a command of database `db`: behind a SELECT, where the command before was of another one. */
export const streamedBytes = (args: readonly string[], db: number, lastDb: number | undefined): number =>
  (db === lastDb ? 0 : bulks(['SELECT', String(db)]).length) + bulks(args).length
