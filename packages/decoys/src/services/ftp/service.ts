// vsftpd 3.0.3 with Debian 12's configuration: local users only, no TLS.
import type { Crowd } from '../../session/crowd.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import type { Service } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'
import { ftpSession } from './session.ts'

/** vsftpd's `max_per_ip` unless it is set (vsftpd.conf(5)). */
const MAX_PER_IP = 50

const crowd: Crowd = {
  refusal: ({ open }) =>
    open < MAX_PER_IP ? undefined : '421 There are too many connections from your internet address.\r\n',
  full: '421 There are too many connected users, please try later.\r\n',
}

const service: Service = {
  listeners(settings) {
    if (settings['ftp.enabled'] !== true) return []
    // The greeting is one line, even if the setting holds line ends.
    const banner = String(settings['ftp.banner']).replace(/[\r\n]+/g, ' ')
    const port = Number(settings['ftp.port'])
    const dependsOn = ownSettings(settings, descriptor)
    return [{ instance: 'ftp', transport: 'tcp', port, startSession: ftpSession(banner), crowd, dependsOn }]
  },
}

export default service
