// An access key of AWS, with an endpoint of ours. Every request to the endpoint fires, and tells whether it is signed with the key.
import { blank } from '../../channels/http/blank.ts'
import { requestDetail } from '../../channels/http/request-detail.ts'
import { endOfId } from '../../channels/http/token-path.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { token, type Credentials, type VisitedToken } from '../../token.ts'
import { callerIdentity, refusalOf } from './answers.ts'
import { askedParts, callOf } from './call.ts'
import { descriptor } from './descriptor.ts'
import { identityOf } from './identity.ts'
import { endpointOf, isOfOwnAccount, plantedKey } from './planted-key.ts'
import { carriedSignature, isSignedWith, splitPath } from '../../sigv4/verify.ts'

export default token(descriptor, {
  // The secret is in the download alone.
  renders(address, settings, issued) {
    const endpoint = endpointOf(settings, address)
    return endpoint === undefined ? { account: issued?.['account'] ?? '' } : { endpoint_url: endpoint }
  },
  needsProvider: isOfOwnAccount,
  isMetElsewhere: isOfOwnAccount,
  creationWarning: (settings) =>
    isOfOwnAccount(settings)
      ? undefined
      : 'The key fires with the endpoint of its file alone: AWS itself does not know it, so a key that is tried there without the endpoint raises nothing.',
  credentials(_address, settings, derive, issued): Credentials {
    const { accessKeyId, secretAccessKey, userName } = plantedKey(settings, derive, issued)
    return { access_key_id: accessKeyId, secret_access_key: secretAccessKey, username: userName }
  },
  on: {
    http: {
      judge: (_visit, { expiry }, at, visited) =>
        expiry !== undefined && visited !== undefined && at > visited.createdAt + expiry ? 'quiet' : 'fire',
      describe(visit, _settings, _at, visited) {
        const useragent = visit.headers['User-Agent'] ?? ''
        const signature = carriedSignature(visit)
        if (!signature) return { useragent }
        const base = basePath(visit, visited)
        const { action } = callOf(visit, signature.service, base)
        const isValid = visited && isValidFor(visit, visited)
        return {
          event_name: action,
          service: signature.service,
          action,
          region: signature.region,
          access_key_id: signature.accessKeyId,
          ...(isValid !== undefined && { signature_valid: isValid }),
          useragent,
        }
      },
      visitorDetail(visit) {
        const signature = carriedSignature(visit)
        if (!signature) return requestDetail(visit)
        const { service, region, accessKeyId } = signature
        return [[service, region, accessKeyId, ...askedParts(visit, service)].join('|')]
      },
      answer(visit, _settings, visited) {
        const signature = carriedSignature(visit)
        if (!signature || !visited) return blank(visit.headers['Accept'])
        const identity = identityOf(visited.derive)
        const call = callOf(visit, signature.service, basePath(visit, visited))
        const seed = signature.signature
        if (signature.accessKeyId !== identity.accessKeyId)
          return refusalOf(call, 'unknown key', identity, seed)
        if (isValidFor(visit, visited) === false) return refusalOf(call, 'wrong signature', identity, seed)
        return call.service === 'sts' && call.action === 'GetCallerIdentity'
          ? callerIdentity(identity, seed)
          : refusalOf(call, 'denied', identity, seed)
      },
    },
  },
})

/** Signed with the key of the token; undefined where the signature covers a body that was not kept. */
function isValidFor(visit: HttpVisit, visited: VisitedToken): boolean | undefined {
  const signature = carriedSignature(visit)
  const { accessKeyId, secretAccessKey } = identityOf(visited.derive)
  if (signature?.accessKeyId !== accessKeyId) return false
  return isSignedWith(secretAccessKey, visit, signature, basePath(visit, visited))
}

/** The path of the endpoint: up to the token's id; empty where the host name has the id. */
function basePath({ path }: HttpVisit, visited: VisitedToken | undefined): string {
  const { pathname } = splitPath(path)
  return pathname.slice(0, endOfId(pathname, visited?.tokenId))
}
