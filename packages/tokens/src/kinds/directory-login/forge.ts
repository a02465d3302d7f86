// The script for domain controllers of Windows. Without a byte order mark, PowerShell 5 does not read it as UTF-8.
import { forge } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { reportScript } from './report-script.ts'

export default forge(descriptor, {
  file: ({ address, settings: { tokened_usernames } }) => ({
    filename: 'report-logons.ps1',
    contentType: 'text/plain; charset=utf-8',
    bytes: Buffer.from(`\ufeff${reportScript(address, tokened_usernames).replaceAll('\n', '\r\n')}`),
  }),
})
