// A document whose first page has an address. Any look-up of its host fires.
import { requestFields } from '../../channels/http/request-fields.ts'
import { nxName } from '../../channels/dns/nx-name.ts'
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: (address) => ({ hostname: nxName(address, 'p') }),
  on: {
    dns: {
      describe: lookUpFields,
      // A resolver with QNAME minimisation asks for the shorter names first; the first of them fires.
      amend: ({ qname, labels }) => (labels.length > 0 ? { qname } : undefined),
    },
    http: { describe: requestFields },
  },
})
