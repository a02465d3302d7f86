// vsftpd 3.0.3 as Debian configures it: no anonymous users, no TLS.
import type { Service } from '../../session.ts'
import { ftp } from './session.ts'

const service: Service = {
  listeners(settings) {
    if (settings['ftp.enabled'] !== true) return []
    // One line, whatever the setting holds.
    const banner = String(settings['ftp.banner']).replace(/[\r\n]+/g, ' ')
    return [
      { instance: 'ftp', transport: 'tcp', port: Number(settings['ftp.port']), startSession: ftp(banner) },
    ]
  },
}

export default service
