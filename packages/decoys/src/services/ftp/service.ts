// vsftpd 3.0.3 with Debian 12's configuration: local users only, no TLS.
import type { Service } from '../../session.ts'
import { ftpSession } from './session.ts'

const service: Service = {
  listeners(settings) {
    if (settings['ftp.enabled'] !== true) return []
    // The greeting is one line, even if the setting holds line ends.
    const banner = String(settings['ftp.banner']).replace(/[\r\n]+/g, ' ')
    const port = Number(settings['ftp.port'])
    return [{ instance: 'ftp', transport: 'tcp', port, startSession: ftpSession(banner) }]
  },
}

export default service
