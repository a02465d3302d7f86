// ntpd of ntpsec 1.2.2, whose admin lets the network ask it about itself.
import { linuxKernel } from '../../machine/linux-kernel.ts'
import type { Service } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'
import { ntpSession } from './products/ntpsec/session.ts'

const startSession = ntpSession(({ derive }) => linuxKernel(derive))

const service: Service = {
  listeners(settings) {
    if (settings['ntp.enabled'] !== true) return []
    const { answerBytes } = descriptor
    const port = Number(settings['ntp.port'])
    // Every clock of the network asks for the time: that is no touch.
    return [
      {
        instance: 'ntp',
        transport: 'udp',
        port,
        answerBytes,
        startSession,
        isSilenceUsual: true,
        dependsOn: '',
      },
    ]
  },
}

export default service
