// The recorded probes of Some name, changed.
import { latin1 } from '@rookery/decoys/test/draw.ts'
import { changeText } from '@rookery/decoys/test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '@rookery/decoys/test/mutations/target.ts'
import { probes } from './corpus.ts'
import { someNameSession } from './session.ts'

export const mutations: MutationTargets = {
  'some-name': sessionTarget({
    server: () => someNameSession,
    segments: (draw) => draw.pick(probes).send.map(latin1),
    change: changeText(['\r\n', '\0', '\xff']),
    mostAnswerBytes: 10_000,
    leastMeanAnswer: 10,
  }),
}
