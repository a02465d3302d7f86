// The bare sketch that B20 is held against: all rows of the same table as JSON.
import { databaseIn, serveJson } from './reads.ts'

const all = databaseIn(process.argv[2]).prepare('SELECT * FROM token ORDER BY token_id')

serveJson(() => ({ tokens: all.all() }))
