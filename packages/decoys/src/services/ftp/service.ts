// vsftpd 3.0.3 with Debian 12's configuration: local users only, no TLS.
import { ownSettings } from '../../settings/own-settings.ts'
import type { Service } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'
import { crowd } from './products/vsftpd/profile.ts'
import { ftpSession } from './products/vsftpd/session.ts'

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
