// The recorded probes of git, changed.
import { latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { probes } from './git-daemon/corpus.ts'
import { gitSession } from '../../src/services/git/products/git-daemon/session.ts'

const short = probes.filter(({ send }) => send.join('').length < 1_000)

export const mutations: MutationTargets = {
  git: sessionTarget({
    server: () => gitSession,
    segments: (draw) => draw.pick(short).send.map(latin1),
    change: changeText(['0000', '0003', 'ffff', '\0', 'host=[', '\n', '\xff']),
    mostAnswerBytes: 65_520,
    mostKeptBytes: 140_000,
    leastMeanAnswer: 8,
  }),
}
