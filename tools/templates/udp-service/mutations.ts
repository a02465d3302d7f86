// The recorded probes of Some name, changed.
import { latin1 } from '@rookery/decoys/test/draw.ts'
import { changeBytes } from '@rookery/decoys/test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '@rookery/decoys/test/mutations/target.ts'
import { probes } from '../service/corpus.ts'
import { descriptor } from './descriptor.ts'
import { someNameSession } from './session.ts'

export const mutations: MutationTargets = {
  'some-name': sessionTarget({
    server: () => someNameSession,
    segments: (draw) => draw.pick(probes).send.map(latin1),
    change: changeBytes(),
    mostAnswerBytes: descriptor.answerBytes,
    leastMeanAnswer: 10,
  }),
}
