// The .reg file as Windows' own editor saves it: UTF-16LE behind a byte order mark.
import { forge } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { registryFile } from './registry.ts'

export default forge(descriptor, {
  file: ({ address: { hostname }, settings: { process_name } }) => ({
    filename: 'process-exit.reg',
    contentType: 'text/x-ms-regedit; charset=utf-16le',
    bytes: Buffer.from(`\ufeff${registryFile(process_name, hostname)}`, 'utf16le'),
  }),
})
