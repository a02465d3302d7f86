import { forge } from '../../forge.ts'
import { serviceMetadata } from '../../saml/service-metadata.ts'
import { descriptor } from './descriptor.ts'

export default forge(descriptor, {
  file: ({ address }) => ({
    filename: 'metadata.xml',
    contentType: 'application/samlmetadata+xml',
    bytes: Buffer.from(serviceMetadata(address)),
  }),
})
