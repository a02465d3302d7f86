import { X509Certificate } from 'node:crypto'
import { forge } from '../../forge.ts'
import { dosTime, zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { descriptor } from './descriptor.ts'
import { certificateName, CONFIG_NAME, configText } from './files.ts'

export default forge(descriptor, {
  file({ settings: { azure_id_cert_file_name }, issued }) {
    const name = certificateName(azure_id_cert_file_name)
    const { pem = '' } = issued
    // Files of the moment when the certificate was made.
    const modifiedAt = dosTime(new X509Certificate(pem).validFromDate.toISOString())
    return {
      filename: `${name.replace(/\.[^.]*$/, '') || 'service-principal'}.zip`,
      contentType: 'application/zip',
      bytes: writeZip([
        zipEntry(CONFIG_NAME, configText(issued, name), { modifiedAt }),
        zipEntry(name, pem, { modifiedAt }),
      ]),
    }
  },
})
