// A configuration of kubectl with a cluster and a service account. Every request to its server fires.
import { bearerOf } from '../../channels/http/authorization.ts'
import { requestDetail } from '../../channels/http/request-detail.ts'
import { baseUrl, pathBehind } from '../../channels/http/token-path.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { token } from '../../token.ts'
import { apiServerAnswer } from './api-server.ts'
import { descriptor } from './descriptor.ts'
import { serviceAccountOf } from './service-account.ts'

/** Each command of kubectl first asks what the server has. */
const isDiscovery = ({ path, headers }: HttpVisit): boolean =>
  /^kubectl\//.test(headers['User-Agent'] ?? '') && /\/(?:apis?|openapi\/v[23]|version)(?:\?|$)/.test(path)

export default token(descriptor, {
  // The token is in the download alone.
  renders: (address) => ({ server: baseUrl(address) }),
  on: {
    http: {
      describe: (visit, _settings, _at, visited) => ({
        method: visit.method,
        request: pathBehind(visit, visited?.tokenId),
        key_used: visited !== undefined && bearerOf(visit) === serviceAccountOf(visited.derive).token,
        useragent: visit.headers['User-Agent'] ?? '',
      }),
      visitorDetail: (visit) => (isDiscovery(visit) ? [undefined] : requestDetail(visit)),
      amend: (visit, _settings, visited) =>
        isDiscovery(visit)
          ? undefined
          : { method: visit.method, request: pathBehind(visit, visited?.tokenId) },
      answer: (visit, _settings, visited) =>
        apiServerAnswer(pathBehind(visit, visited?.tokenId), visit.headers['Authorization'] !== undefined),
    },
  },
})
