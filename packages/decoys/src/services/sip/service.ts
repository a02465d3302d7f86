// Asterisk 20 with chan_pjsip, by UDP and TCP on one port.
import type { Service } from '../../session/session.ts'
import { transportsOf } from '../../settings/instances.ts'
import { descriptor } from './descriptor.ts'
import { sipByTcp, sipByUdp } from './products/asterisk/session.ts'

const service: Service = {
  listeners(settings) {
    if (settings['sip.enabled'] !== true) return []
    return transportsOf(descriptor).map((transport) => ({
      instance: 'sip',
      transport,
      port: Number(settings['sip.port']),
      startSession: transport === 'udp' ? sipByUdp : sipByTcp,
      ...(transport === 'udp' && { answerBytes: descriptor.answerBytes }),
      dependsOn: '',
    }))
  },
}

export default service
