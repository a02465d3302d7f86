// A document whose macro reports who opened it, by HTTP or by a name that is fired once it is whole.
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { pixel } from '../../channels/http/blank.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { openedBy, openedByName } from '../../office/vba/opened-by.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url, hostname }) => ({ url, hostname }),
  on: {
    http: {
      describe: (visit) => ({ ...requestFields(visit), ...openedBy(visit) }),
      answer: () => pixel,
    },
    dns: {
      judge: (visit) => (openedByName(visit) === undefined ? 'quiet' : 'fire'),
      describe: (visit) => ({ ...lookUpFields(visit), ...openedByName(visit) }),
      // The name of a user that has dots grows with each query of a resolver with QNAME minimisation.
      amend(visit) {
        const found = openedByName(visit)
        return found && { qname: visit.qname, ...found }
      },
    },
  },
})
