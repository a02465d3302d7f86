// The recorded probes of NTP, changed.
import { latin1 } from '../../test/draw.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { probes } from './ntpsec/corpus.ts'
import { ntpSession } from '../../src/services/ntp/products/ntpsec/session.ts'

const server = ntpSession(() => '6.1.0-52-amd64')

export const mutations: MutationTargets = {
  ntp: sessionTarget({
    server: () => server,
    segments: (draw) => draw.pick(probes).send.map(latin1),
    change: changeBytes(),
    mostAnswerBytes: 1_024,
    mostKeptBytes: 100_000,
    leastMeanAnswer: 10,
  }),
}
