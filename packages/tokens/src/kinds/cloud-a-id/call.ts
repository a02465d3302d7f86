// What a client of AWS asks for, by the protocol of its service: in the form, in a header, or in method and path.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { splitPath } from '../../sigv4/verify.ts'

export type Protocol = 'query' | 'ec2' | 'json' | 's3' | 'rest-json'

export interface Call {
  readonly service: string
  /** Such as `GetCallerIdentity`; method and path where the service names no action. */
  readonly action: string
  readonly protocol: Protocol
  /** The path behind the endpoint. */
  readonly resource: string
}

const MAX_ACTION = 128

/** `base` is the path of the endpoint. */
export function callOf(visit: HttpVisit, service: string, base: string): Call {
  const { pathname, query } = splitPath(visit.path)
  const resource = (pathname.startsWith(base) ? pathname.slice(base.length) : pathname) || '/'
  const call = (protocol: Protocol, action: string): Call => ({
    service,
    protocol,
    resource,
    action: action.slice(0, MAX_ACTION),
  })
  if (service === 's3') return call('s3', s3Action(visit.method, resource, new URLSearchParams(query)))
  const target = visit.headers['X-Amz-Target']
  if (target !== undefined) return call('json', target.slice(target.lastIndexOf('.') + 1))
  const action =
    new URLSearchParams(visit.body ?? '').get('Action') ?? new URLSearchParams(query).get('Action')
  if (action !== null) return call(service === 'ec2' ? 'ec2' : 'query', action)
  return call('rest-json', `${visit.method} ${resource}`)
}

/** What makes two calls different. A program that tries again signs anew, and S3 puts signatures into the body, too. */
export function askedParts(visit: HttpVisit, service: string): readonly string[] {
  const { pathname, query } = splitPath(visit.path)
  const { method, headers, body = '' } = visit
  const asked = query.split('&').filter((pair) => !/^X-Amz-/i.test(pair))
  return [method, pathname, asked.join('&'), headers['X-Amz-Target'] ?? '', service === 's3' ? '' : body]
}

/** What a key of the query asks about, instead of the bucket or the object itself. */
const SUBRESOURCES = byWord<string>({
  acl: 'Acl',
  cors: 'Cors',
  encryption: 'Encryption',
  lifecycle: 'LifecycleConfiguration',
  location: 'Location',
  logging: 'Logging',
  policy: 'Policy',
  tagging: 'Tagging',
  versioning: 'Versioning',
})
const VERBS = byWord<string>({ GET: 'Get', PUT: 'Put', DELETE: 'Delete', HEAD: 'Head' })

function s3Action(method: string, resource: string, query: URLSearchParams): string {
  const [, bucket = '', ...keys] = resource.split('/')
  const place = bucket === '' ? 'service' : keys.join('/') === '' ? 'bucket' : 'object'
  const verb = VERBS[method]
  if (verb === undefined || place === 'service')
    return method === 'GET' && place === 'service' ? 'ListBuckets' : `${method} ${resource}`
  const asked = Object.entries(SUBRESOURCES).find(([name]) => query.has(name))
  if (asked) return `${verb}${place === 'bucket' ? 'Bucket' : 'Object'}${asked[1]}`
  if (place === 'object') return `${verb}Object`
  if (method === 'GET') return query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects'
  return method === 'PUT' ? 'CreateBucket' : `${verb}Bucket`
}
