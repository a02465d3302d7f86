// The bare sketch that B15 is held against: all rows of the same table as JSON.
import { databaseIn, serveJson } from './reads.ts'

const all = databaseIn(process.argv[2]).prepare('SELECT * FROM bird ORDER BY first_seen_at, node_id')

serveJson(() => ({ devices: all.all() }))
