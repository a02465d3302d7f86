// An external of a Subversion repository. A check-out, an update or an export of it fires.
import { blank } from '../../channels/http/blank.ts'
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { requestDetail } from '../../channels/http/request-detail.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { repositoryAnswer } from './repository.ts'

const READS = ['GET', 'HEAD', 'PROPFIND', 'REPORT']

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
      // A client of Subversion asks many times, for one reading or one change.
      visitorDetail(visit) {
        const { method, headers } = visit
        if (!/^SVN\//.test(headers['User-Agent'] ?? '')) return requestDetail(visit)
        return [method === 'OPTIONS' ? undefined : READS.includes(method) ? 'read' : 'change']
      },
      amend: ({ method }) => (method === 'OPTIONS' || READS.includes(method) ? undefined : { method }),
      describe: ({ method, headers }) => ({ method, useragent: headers['User-Agent'] ?? '' }),
      answer: (visit) => repositoryAnswer(visit) ?? blank(visit.headers['Accept']),
    },
  },
})
