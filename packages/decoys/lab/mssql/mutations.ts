// The recorded probes of SQL Server, changed.
import { latin1 } from '../../test/draw.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { probes } from './sql-server/corpus.ts'
import { openServer } from '../../src/services/mssql/service.ts'
import { VERSIONS } from '../../src/services/mssql/products/sql-server/profile.ts'
import { NAMES } from './conversation.ts'

const short = probes.filter(({ send }) => send.join('').length < 10_000)
const servers = VERSIONS.map((version) => openServer(version, NAMES))

export const mutations: MutationTargets = {
  dbsrv_a: sessionTarget({
    server: (draw) => draw.pick(servers),
    segments: (draw) => draw.pick(short).send.map(latin1),
    change: changeBytes([86, 94, 128]),
    // An answer to PRELOGIN, a challenge, a refusal.
    mostAnswerBytes: 2_000,
    mostKeptBytes: 200_000,
    leastMeanAnswer: 20,
  }),
}
