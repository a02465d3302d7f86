// A remote of Git, with a user and a password. Every request for the repository fires, and is asked for another log-in.
import type { EventFields } from '@rookery/kernel/touch.ts'
import { basicOf } from '../../channels/http/authorization.ts'
import { queryParameter } from '../../channels/http/request-fields.ts'
import { requestDetail } from '../../channels/http/request-detail.ts'
import { baseUrl, pathBehind } from '../../channels/http/token-path.ts'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import { token, type VisitedToken } from '../../token.ts'
import { deployUserOf } from './deploy-user.ts'
import { descriptor } from './descriptor.ts'

/** git sends user and password only once it is asked for them, and then says that the login failed. */
const refusal: HttpAnswer = {
  status: 401,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'WWW-Authenticate': 'Basic realm="Git"' },
  body: 'Unauthorized\n',
}

export default token(descriptor, {
  // User and password are in the download alone.
  renders(address, { git_repository: repository }) {
    const url = `${baseUrl(address)}/${repository}.git`
    return { url, command: `git remote add mirror ${url}` }
  },
  on: {
    http: {
      describe(visit, _settings, _at, visited) {
        const service = queryParameter(visit, 'service')
        return {
          method: visit.method,
          request: pathBehind(visit, visited?.tokenId),
          ...(service !== undefined && { service }),
          ...logInOf(visit, visited),
          useragent: visit.headers['User-Agent'] ?? '',
        }
      },
      // git asks without a user first.
      visitorDetail: (visit) => [requestDetail(visit).join(''), basicOf(visit)?.username],
      amend: (visit, _settings, visited) => logInOf(visit, visited),
      answer: () => refusal,
    },
  },
})

/** Undefined for a request without a user. */
function logInOf(visit: HttpVisit, visited: VisitedToken | undefined): EventFields | undefined {
  const given = basicOf(visit)
  if (!given) return undefined
  const { username, password } = given
  const planted = visited && deployUserOf(visited.derive)
  return { username, key_used: planted?.username === username && planted.password === password }
}
