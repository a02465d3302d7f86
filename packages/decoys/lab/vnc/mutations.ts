// The recorded probes of VNC, changed.
import { defaultSettings } from '../../test/default-settings.ts'
import { latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import type { Probe } from '../../test/probe.ts'
import { descriptors } from '../../src/descriptors.gen.ts'
import { probes } from './tigervnc/corpus.ts'
import { probes as tightProbes } from './tightvnc/corpus.ts'
import service from '../../src/services/vnc/service.ts'

const target = (version: string, probes: readonly Probe[]) => {
  const settings = { 'device.name': 'desk', 'vnc.enabled': true, 'vnc.version': version }
  const { startSession } = service.listeners(defaultSettings(descriptors, settings))[0]!
  return sessionTarget({
    server: () => startSession,
    segments: (draw) => draw.pick(probes).send.map(latin1),
    change: changeText(['9', '-', '\n', '\0', '\x02', '\x10', '\x13', '\x01\x02', 'RFB 003.008\n']),
    mostAnswerBytes: 200,
    leastMeanAnswer: 13,
  })
}

export const mutations: MutationTargets = {
  vnc: target('tigervnc-1.12', probes),
  'vnc tight': target('tightvnc-1.3.10', tightProbes),
}
