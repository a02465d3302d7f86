// Signs a request as a client of AWS does, written apart from what verifies it: the caller gives a canonical path.
import { createHash, createHmac } from 'node:crypto'
import type { HttpVisit } from '../../channels/http/visit.ts'
import type { AccessKey } from '../sign.ts'

const DATE = '20261123'
const TIME = `${DATE}T010203Z`
const REGION = 'eu-west-1'

type Facts = Partial<Pick<HttpVisit, 'method' | 'path' | 'body' | 'headers'>>

/** Names in the query are in their order, and have values or no `=`. */
export function signedVisit(
  { accessKeyId, secretAccessKey }: AccessKey,
  service: string,
  { method = 'GET', path = '/', body, headers = {} }: Facts,
): HttpVisit {
  const host = headers['Host'] ?? 't.example'
  const [pathname = '', query = ''] = path.split('?')
  const canonicalQuery = query.replace(/(^|&)(\w+)(?=&|$)/g, '$1$2=')
  const request = [
    method,
    service === 's3' ? pathname : pathname.replaceAll('%', '%25'),
    canonicalQuery,
    `host:${host}`,
    `x-amz-date:${TIME}`,
    '',
    'host;x-amz-date',
    hash(body ?? ''),
  ].join('\n')
  const scope = `${DATE}/${REGION}/${service}/aws4_request`
  const parts = [`AWS4${secretAccessKey}`, DATE, REGION, service, 'aws4_request']
  const key = parts.reduce<Buffer | string>((k, part, n) => (n === 0 ? part : mac(k, part)), '')
  const signature = mac(key, `AWS4-HMAC-SHA256\n${TIME}\n${scope}\n${hash(request)}`).toString('hex')
  return {
    channel: 'http',
    method,
    path,
    srcHost: '192.0.2.7',
    dstPort: 443,
    headers: {
      Host: host,
      'User-Agent': 'aws-cli/2',
      'X-Amz-Date': TIME,
      ...headers,
      Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    },
    ...(body !== undefined && { body }),
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const mac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
