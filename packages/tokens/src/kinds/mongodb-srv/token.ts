// A connection string of MongoDB. The look-up of its SRV record fires, and any other look-up of its host name.
import { blankAnswer } from '../../channels/dns/blank.ts'
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

/** What a driver puts in front of the host name (Initial DNS Seedlist Discovery). */
const isByDriver = (labels: readonly string[]): boolean => labels.join('.') === '_mongodb._tcp'

export default token(descriptor, {
  // Password and user are in the download alone.
  renders: ({ hostname }, { mongodb_database: database }) => ({
    uri: `mongodb+srv://${hostname}/${database}`,
    hostname,
  }),
  on: {
    dns: {
      describe: (visit) => ({ ...lookUpFields(visit), by_driver: isByDriver(visit.labels) }),
      // A resolver with QNAME minimisation asks for the shorter names first; the first of them fires.
      amend: ({ qname, qtype, labels }) =>
        isByDriver(labels) ? { qname, qtype, by_driver: true } : undefined,
      // A cluster that is no more: a driver that found one would try to connect, and wait for half a minute.
      answer: (visit) => (isByDriver(visit.labels) ? 'no-such-name' : blankAnswer(visit)),
    },
  },
})
