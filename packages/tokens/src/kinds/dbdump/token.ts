// A dump of a database. Who restores it makes their server log in as a replica.
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { replicaOf, replicaStatements } from './replica.ts'

export default token(descriptor, {
  renders: (address) => ({ statements: `${replicaStatements(address).join('\n')}\n` }),
  on: {
    // Where no connection leads out of the network, the look-up is all that is seen.
    dns: { describe: lookUpFields },
    mysql: {
      describe: ({ user, clientVersion, os }) => ({
        username: user,
        ...replicaOf(user),
        ...(clientVersion !== '' && { client_version: clientVersion }),
        ...(os !== '' && { os }),
      }),
    },
  },
})
