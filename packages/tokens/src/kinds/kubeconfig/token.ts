// A configuration of kubectl with a cluster and a service account. Every request to its server fires.
import { bearerOf } from '../../channels/http/authorization.ts'
import { baseUrl, pathBehind } from '../../channels/http/token-path.ts'
import { token } from '../../token.ts'
import { apiServerAnswer } from './api-server.ts'
import { descriptor } from './descriptor.ts'
import { serviceAccountOf } from './service-account.ts'

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
      answer: (visit, _settings, visited) =>
        apiServerAnswer(pathBehind(visit, visited?.tokenId), visit.headers['Authorization'] !== undefined),
    },
  },
})
