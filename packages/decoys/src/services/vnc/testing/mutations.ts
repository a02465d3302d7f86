// The recorded probes of VNC, changed.
import { defaultSettings } from '../../../../test/default-settings.ts'
import { latin1 } from '../../../../test/draw.ts'
import { changeText } from '../../../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../../../test/mutations/target.ts'
import { descriptors } from '../../../descriptors.gen.ts'
import { probes } from '../golden/corpus.ts'
import service from '../service.ts'

const settings = defaultSettings(descriptors, { 'device.name': 'desk', 'vnc.enabled': true })
const { startSession } = service.listeners(settings)[0]!

export const mutations: MutationTargets = {
  vnc: sessionTarget({
    server: () => startSession,
    segments: (draw) => draw.pick(probes).send.map(latin1),
    change: changeText(['9', '-', '\n', '\0', '\x02', '\x13', '\x01\x02', 'RFB 003.008\n']),
    mostAnswerBytes: 200,
    leastMeanAnswer: 13,
  }),
}
