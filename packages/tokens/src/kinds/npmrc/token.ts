// A configuration of npm with a registry and its token. Every request to the registry fires, and is refused.
import { bearerOf } from '../../channels/http/authorization.ts'
import { baseUrl, pathBehind } from '../../channels/http/token-path.ts'
import type { HttpAnswer } from '../../channels/http/visit.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { registryToken } from './registry-token.ts'

/** npm says that the token seems to be invalid, and asks for another log-in. */
const refusal: HttpAnswer = {
  status: 401,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'WWW-Authenticate': 'Bearer' },
  body: '{"error":"Unauthorized"}',
}

export default token(descriptor, {
  // The token is in the download alone.
  renders: (address) => ({ registry: `${baseUrl(address)}/` }),
  on: {
    http: {
      describe(visit, _settings, _at, visited) {
        const { method, headers } = visit
        const command = headers['Npm-Command']
        return {
          method,
          request: pathBehind(visit, visited?.tokenId),
          ...(command !== undefined && { command }),
          key_used: visited !== undefined && bearerOf(visit) === registryToken(visited.derive),
          useragent: headers['User-Agent'] ?? '',
        }
      },
      answer: () => refusal,
    },
  },
})
