import type { TransferKind } from '../transfers/tables.ts'

export interface StoredFileTables {
  /** A file that is larger than a row: the zip of an upload. Its bytes never change. */
  stored_file: {
    file_id: string
    /** What it is for. */
    use: TransferKind
    /** The job, or the release, that needs it; empty while it is being written, and once nothing needs it. */
    owner: string
    /** Of all bytes, hex; empty until all are stored. */
    sha256: string
    /** As announced: room is kept for it from the start. */
    size: number
    stored_at: number
  }
  /** Its bytes in pieces, counted from 0. */
  stored_file_chunk: { file_id: string; n: number; bytes: Uint8Array }
}
