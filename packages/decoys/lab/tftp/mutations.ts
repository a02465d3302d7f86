// The recorded probes of TFTP, changed.
import { latin1 } from '../../test/draw.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { probes } from './tftpd-hpa/corpus.ts'
import { FILES } from './client.ts'
import { tftpSession } from '../../src/services/tftp/products/tftpd-hpa/session.ts'

const server = tftpSession(() => FILES)
const short = probes.filter(({ send }) => send.join('').length < 2_000)

export const mutations: MutationTargets = {
  tftp: sessionTarget({
    server: () => server,
    segments: (draw) => draw.pick(short).send.map(latin1),
    change: changeBytes(),
    mostAnswerBytes: 200_000,
    mostKeptBytes: 100_000,
    leastMeanAnswer: 15,
  }),
}
