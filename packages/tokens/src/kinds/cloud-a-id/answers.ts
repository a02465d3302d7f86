// What AWS answers a user without policies, by the protocol of the service: an error, but to GetCallerIdentity, which is
// always allowed.
import { createHash } from 'node:crypto'
import { uuid } from '@rookery/kernel/ids.ts'
import type { HttpAnswer } from '../../channels/http/visit.ts'
import { escapedMarkup } from '../../xml/escape.ts'
import type { Call, Protocol } from './call.ts'
import type { Identity } from './identity.ts'

export type Refusal = 'denied' | 'unknown key' | 'wrong signature'

/** Error codes by protocol, as the error pages of the services name them. */
const CODES: Readonly<Record<Protocol, Readonly<Record<Refusal, string>>>> = {
  s3: {
    denied: 'AccessDenied',
    'unknown key': 'InvalidAccessKeyId',
    'wrong signature': 'SignatureDoesNotMatch',
  },
  query: {
    denied: 'AccessDenied',
    'unknown key': 'InvalidClientTokenId',
    'wrong signature': 'SignatureDoesNotMatch',
  },
  ec2: {
    denied: 'UnauthorizedOperation',
    'unknown key': 'AuthFailure',
    'wrong signature': 'AuthFailure',
  },
  json: {
    denied: 'AccessDeniedException',
    'unknown key': 'UnrecognizedClientException',
    'wrong signature': 'InvalidSignatureException',
  },
  'rest-json': {
    denied: 'AccessDeniedException',
    'unknown key': 'UnrecognizedClientException',
    'wrong signature': 'InvalidSignatureException',
  },
}

const STS = 'https://sts.amazonaws.com/doc/2011-06-15/'

/** The namespace of a service's answers in XML. */
const namespaceOf = (service: string): string => {
  if (service === 'sts') return STS
  if (service === 'iam') return 'https://iam.amazonaws.com/doc/2010-05-08/'
  return `https://${escapedMarkup(service)}.amazonaws.com/doc/`
}

const arnOf = ({ account, userName }: Identity): string => `arn:aws:iam::${account}:user/${userName}`

/** `seed` differs for each request: its signature. */
export function callerIdentity(identity: Identity, seed: string): HttpAnswer {
  const { account, userId } = identity
  return xml(
    200,
    seed,
    `<GetCallerIdentityResponse xmlns="${STS}">
  <GetCallerIdentityResult>
    <Arn>${arnOf(identity)}</Arn>
    <UserId>${userId}</UserId>
    <Account>${account}</Account>
  </GetCallerIdentityResult>
  <ResponseMetadata>
    <RequestId>${requestId(seed)}</RequestId>
  </ResponseMetadata>
</GetCallerIdentityResponse>
`,
  )
}

export function refusalOf(call: Call, refusal: Refusal, identity: Identity, seed: string): HttpAnswer {
  const code = CODES[call.protocol][refusal]
  const message = messageOf(call, refusal, identity)
  const text = escapedMarkup(message)
  const id = requestId(seed)
  switch (call.protocol) {
    case 's3':
      return xml(
        403,
        seed,
        `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message><RequestId>${s3RequestId(seed)}</RequestId><HostId>${hostId(seed)}</HostId></Error>`,
        { 'x-amz-request-id': s3RequestId(seed), 'x-amz-id-2': hostId(seed) },
      )
    case 'ec2':
      return xml(
        refusal === 'denied' ? 403 : 401,
        seed,
        `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${text}</Message></Error></Errors><RequestID>${id}</RequestID></Response>`,
      )
    case 'query':
      return xml(
        403,
        seed,
        `<ErrorResponse xmlns="${namespaceOf(call.service)}">\n  <Error>\n    <Type>Sender</Type>\n    <Code>${code}</Code>\n    <Message>${text}</Message>\n  </Error>\n  <RequestId>${id}</RequestId>\n</ErrorResponse>\n`,
      )
    case 'json':
      return json(400, seed, { __type: code, Message: message }, 'application/x-amz-json-1.1')
    case 'rest-json':
      return json(403, seed, { Message: message }, 'application/json', { 'x-amzn-ErrorType': code })
  }
}

function messageOf({ service, action, protocol }: Call, refusal: Refusal, identity: Identity): string {
  if (refusal === 'unknown key')
    return protocol === 's3'
      ? 'The AWS Access Key Id you provided does not exist in our records.'
      : 'The security token included in the request is invalid.'
  if (refusal === 'wrong signature')
    return protocol === 's3'
      ? 'The request signature we calculated does not match the signature you provided. Check your key and signing method.'
      : 'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'
  if (protocol === 'rest-json') return `User: ${arnOf(identity)} is not authorized to perform this operation`
  const permission = `${service}:${action === 'ListBuckets' ? 'ListAllMyBuckets' : action}`
  return `User: ${arnOf(identity)} is not authorized to perform: ${permission} because no identity-based policy allows the ${permission} action`
}

const unstored = { 'Cache-Control': 'no-store, max-age=0' }

const xml = (
  status: number,
  seed: string,
  body: string,
  headers: HttpAnswer['headers'] = { 'x-amzn-RequestId': requestId(seed) },
): HttpAnswer => ({
  status,
  headers: {
    'Content-Type': 'x-amz-id-2' in headers ? 'application/xml' : 'text/xml',
    ...unstored,
    ...headers,
  },
  body,
})

const json = (
  status: number,
  seed: string,
  body: object,
  contentType: string,
  headers: HttpAnswer['headers'] = {},
): HttpAnswer => ({
  status,
  headers: { 'Content-Type': contentType, ...unstored, 'x-amzn-RequestId': requestId(seed), ...headers },
  body: JSON.stringify(body),
})

const digest = (seed: string): Buffer => createHash('sha512').update(`request ${seed}`).digest()

const requestId = (seed: string): string => uuid(digest(seed).toString('hex'), '4', 'a')

const s3RequestId = (seed: string): string => digest(seed).toString('hex').slice(0, 16).toUpperCase()
const hostId = (seed: string): string => digest(seed).subarray(8, 64).toString('base64')
