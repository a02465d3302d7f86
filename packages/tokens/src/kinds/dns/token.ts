// A host name that nothing uses. Any look-up fires.
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { dataDetail, payloadOf } from './payload.ts'

export default token(descriptor, {
  renders: ({ hostname }) => ({ hostname }),
  on: {
    dns: {
      describe(visit) {
        const data = payloadOf(visit.labels)
        return { ...lookUpFields(visit), ...(data !== undefined && { data }) }
      },
      // Names alone are one look-up: a resolver asks for the shorter ones, and a client for those that it searches.
      visitorDetail: ({ labels }) => dataDetail(labels),
      // A resolver with QNAME minimisation asks for the shorter names first; the first of them fires.
      amend({ qname, labels }) {
        const data = payloadOf(labels)
        return labels.length === 0 ? undefined : { qname, ...(data !== undefined && { data }) }
      },
    },
  },
})
