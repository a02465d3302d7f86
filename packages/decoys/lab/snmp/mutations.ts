// The recorded questions of SNMP, changed.
import { latin1 } from '../../test/draw.ts'
import { defaultSettings } from '../../test/default-settings.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { descriptors } from '../../src/descriptors.gen.ts'
import snmp from '../../src/services/snmp/service.ts'
import { probes } from './net-snmp/corpus.ts'

const settings = [
  {},
  { 'http.enabled': true, 'http.skin': 'printer' },
  { 'http.enabled': true, 'http.skin': 'router' },
  { 'modbus.enabled': true },
]
const servers = settings.map(
  (changes) =>
    snmp.listeners(
      defaultSettings(descriptors, { 'device.name': 'Bird', 'snmp.enabled': true, ...changes }),
    )[0]!.startSession,
)

export const mutations: MutationTargets = {
  snmp: sessionTarget({
    server: (draw) => draw.pick(servers),
    segments: (draw) => draw.pick(probes).send.map(latin1),
    change: changeBytes([0x30, 0xa0, 0xa5, 0x02, 0x84]),
    mostAnswerBytes: 1_472,
    leastMeanAnswer: 10,
  }),
}
