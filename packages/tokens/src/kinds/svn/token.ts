// An external of a Subversion repository. A check-out, an update or an export of it fires.
import { blank } from '../../channels/http/blank.ts'
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { repositoryAnswer } from './repository.ts'

export default token(descriptor, {
  renders({ url, hostname }) {
    const { protocol, port } = new URL(url)
    const repository = `${protocol}//${hostname}${port === '' ? '' : `:${port}`}/`
    return { repository, command: `svn propset svn:externals "extras ${repository}" .` }
  },
  on: {
    // Where the client may resolve names but open no connection, the look-up is all that is seen.
    dns: { describe: lookUpFields },
    http: {
      describe: ({ method, headers }) => ({ method, useragent: headers['User-Agent'] ?? '' }),
      answer: (visit) => repositoryAnswer(visit) ?? blank(visit.headers['Accept']),
    },
  },
})
