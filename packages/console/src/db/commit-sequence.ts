// The one row of `commit_sequence` in a transaction: read when it begins, written once before it commits (decision 0003).
import type { Tx } from './query.ts'

export interface CommitSequenceRow {
  readonly updated_id: number
  readonly config_version: number
}

export interface CommitSequence extends Pick<Tx, 'updatedIds' | 'configChanged' | 'configVersion'> {
  /** The row to write; undefined when neither number changed. */
  readonly changed: () => CommitSequenceRow | undefined
}

export function openCommitSequence(row: CommitSequenceRow): CommitSequence {
  let { updated_id, config_version } = row
  return {
    updatedIds(count) {
      updated_id += count
      return Promise.resolve(updated_id - count + 1)
    },
    configChanged() {
      config_version++
      return Promise.resolve()
    },
    configVersion: () => config_version,
    changed: () =>
      updated_id === row.updated_id && config_version === row.config_version
        ? undefined
        : { updated_id, config_version },
  }
}
