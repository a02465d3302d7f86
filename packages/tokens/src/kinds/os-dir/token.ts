// A Windows folder whose icon lies on a host of ours. The look-up fires once the name says who opened the folder.
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { iconPath } from './desktop-ini.ts'
import { explorerUser } from './payload.ts'

export default token(descriptor, {
  renders: (address) => ({ hostname: address.hostname, unc: iconPath(address) }),
  on: {
    dns: {
      // A resolver with QNAME minimisation asks for the shorter names first.
      judge: ({ labels }) => (explorerUser(labels) === undefined ? 'quiet' : 'fire'),
      describe: (visit) => ({ ...lookUpFields(visit), ...explorerUser(visit.labels) }),
      // The name of a user that has dots grows with each query.
      amend({ qname, labels }) {
        const found = explorerUser(labels)
        return found && { qname, ...found }
      },
    },
    http: { describe: requestFields },
  },
})
