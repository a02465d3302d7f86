// The recorded probes of MySQL and MariaDB, changed.
import { latin1 } from '../../test/draw.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { MAX_KEPT_BYTES } from '../../src/services/mysql/protocol/codec.ts'
import { probes } from './mariadb/corpus.ts'
import { openServer } from '../../src/services/mysql/service.ts'
import { VERSIONS } from '../../src/services/mysql/versions.ts'

const small = probes.filter(({ send }) => send.join('').length < MAX_KEPT_BYTES)
const servers = VERSIONS.map(({ name }) => openServer({ 'dbsrv_b.version': name }).startSession)

export const mutations: MutationTargets = {
  dbsrv_b: sessionTarget({
    server: (draw) => draw.pick(servers),
    segments: (draw) => draw.pick(small).send.map(latin1),
    change: changeBytes([20, 250, 251, 252]),
    // A greeting, a request to switch, a refusal.
    mostAnswerBytes: 2_000,
    leastMeanAnswer: 90,
  }),
}
