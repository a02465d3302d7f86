import { gzipSync } from 'node:zlib'
import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { dumpText } from './dump.ts'
import { newDatabase } from './database.ts'
import { replicaStatements } from './replica.ts'

/** In the header of a gzip file (RFC 1952, 2.3): the same on every platform. */
const OS_AT = 9
const UNIX = 3

export default forge(descriptor, {
  file({ address, derive }) {
    const database = newDatabase(openDraws(derive, 'dump'))
    const bytes = gzipSync(dumpText(database, replicaStatements(address)))
    bytes.writeUInt8(UNIX, OS_AT)
    const day = database.dumpedAt.slice(0, 10)
    return { filename: `${database.name}-${day}.sql.gz`, contentType: 'application/gzip', bytes }
  },
})
