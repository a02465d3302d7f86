// A reading connection beside the console's: WAL lets it read one snapshot while others are written.
import type { SnapshotReader } from '../snapshot-reader.ts'
import { connect } from './connection.ts'
import { sqliteKysely } from './kysely.ts'

export function sqliteSnapshotReader(path: string): SnapshotReader {
  const connection = connect(path, { readOnly: true })
  const query = sqliteKysely(connection)
  return {
    engine: 'sqlite',
    async snapshot(read) {
      connection.raw.exec('BEGIN')
      try {
        return await read(query)
      } finally {
        connection.raw.exec('COMMIT')
      }
    },
    close: () => query.destroy(),
  }
}
