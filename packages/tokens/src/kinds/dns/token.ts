// A host name that nothing uses. Any look-up fires.
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { payloadOf } from './payload.ts'

export default token(descriptor, {
  renders: ({ hostname }) => ({ hostname }),
  on: {
    dns: {
      describe({ qtype, qname, labels, clientSubnet }) {
        const data = payloadOf(labels)
        return {
          qtype,
          qname,
          src_host_is_resolver: true,
          ...(data !== undefined && { data }),
          ...(clientSubnet !== undefined && { client_subnet: clientSubnet }),
        }
      },
      // A resolver with QNAME minimisation asks for the shorter names first; the first of them fires.
      amend({ qname, labels }) {
        const data = payloadOf(labels)
        return data === undefined ? undefined : { qname, data }
      },
    },
  },
})
