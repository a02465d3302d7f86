import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { bytesOf, type Fields, type Judge, type ServiceJudge, type Verdict } from './judge.ts'

const ENDPOINT = 'https://rookery-a1b2.westeurope-1.ingest.monitor.azure.com'
const RULE = 'dcr-000a00a000a00000a000000aa000a0aa'
const STREAM = 'Custom-Rookery_CL'
const TENANT = 'example.onmicrosoft.com'
const CLIENT = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
const SECRET = 'abC8Q~exampleOfASecretOfAnApplication123'
const TOKEN = 'eyJ0eXAiOiJKV1QifQ.e30.c2lnbmF0dXJl'
const REQUEST = 1_048_576
const VALUE = 65_536

/** The columns that the stream declares. */
const COLUMNS: Readonly<Record<string, 'datetime' | 'int' | 'string'>> = {
  TimeGenerated: 'datetime',
  Events: 'int',
  NodePort: 'int',
  ...Object.fromEntries(
    [
      ...[
        'MessageId',
        'IncidentId',
        'IncidentKey',
        'Subject',
        'Level',
        'Logtype',
        'Name',
        'Text',
        'SourceAddress',
      ],
      ...[
        'SourceName',
        'NodeId',
        'NodeName',
        'NodeAddress',
        'FlockId',
        'FlockName',
        'UserName',
        'Path',
        'Memo',
      ],
      ...['Url', 'Details'],
    ].map((name) => [name, 'string' as const]),
  ),
}

const refused = (status: number, code: string, message: string): Verdict => ({
  status,
  body: JSON.stringify({ error: { code, message } }),
})

/** Microsoft identity platform, client credentials; Azure Monitor, "Logs Ingestion API" with its limits and errors. */
const sentinel: Judge = (request) => {
  const { origin, pathname } = new URL(request.url)
  if (origin === 'https://login.microsoftonline.com') return tokenFor(request, pathname)
  if (origin !== ENDPOINT) return refused(404, 'NotFound', 'The resource does not exist.')
  return taken(request)
}

function tokenFor({ method, headers, body = '' }: OutboundRequest, pathname: string): Verdict {
  const wrong = (status: number, error: string, code: string, says: string): Verdict => ({
    status,
    body: JSON.stringify({ error, error_description: `${code}: ${says}\r\nTrace ID: 0\r\nTimestamp: 0` }),
  })
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded')
    return wrong(400, 'invalid_request', 'AADSTS900144', 'The request body must contain grant_type.')
  const form = new URLSearchParams(body)
  if (pathname !== `/${TENANT}/oauth2/v2.0/token`)
    return wrong(400, 'invalid_request', 'AADSTS90002', 'Tenant not found.')
  if (form.get('grant_type') !== 'client_credentials')
    return wrong(400, 'unsupported_grant_type', 'AADSTS70003', 'The grant type is not supported.')
  if (form.get('client_id') !== CLIENT)
    return wrong(400, 'unauthorized_client', 'AADSTS700016', 'Application was not found in the directory.')
  if (form.get('client_secret') !== SECRET)
    return wrong(401, 'invalid_client', 'AADSTS7000215', 'Invalid client secret provided.')
  if (form.get('scope') !== 'https://monitor.azure.com//.default')
    return wrong(400, 'invalid_scope', 'AADSTS70011', 'The provided value for scope is not valid.')
  return {
    status: 200,
    body: JSON.stringify({ token_type: 'Bearer', expires_in: 3_599, access_token: TOKEN }),
  }
}

function taken({ method, url, headers, body = '' }: OutboundRequest): Verdict {
  const { pathname, searchParams } = new URL(url)
  const [, bearer = ''] = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '') ?? []
  if (bearer !== TOKEN) return refused(401, 'AuthenticationFailed', 'Authentication failed.')
  if (method !== 'POST') return refused(405, 'MethodNotAllowed', 'The method is not allowed.')
  if (searchParams.get('api-version') !== '2023-01-01')
    return refused(400, 'InvalidApiVersion', 'The api-version is missing or not supported.')
  const [, rule, stream] = /^\/dataCollectionRules\/([^/]+)\/streams\/([^/]+)$/.exec(pathname) ?? []
  if (rule !== RULE)
    return refused(404, 'NotFound', `Data collection rule with immutable Id '${rule}' not found.`)
  if (stream !== STREAM)
    return refused(400, 'InvalidStream', `Stream: '${stream}' is not valid for the data collection rule.`)
  if (headers['content-type'] !== 'application/json')
    return refused(415, 'UnsupportedMediaType', 'The content type must be application/json.')
  if (bytesOf(body) > REQUEST)
    return refused(413, 'ContentLengthLimitExceeded', 'Maximum allowed content length: 1048576.')
  const rows = JSON.parse(body) as unknown
  if (!Array.isArray(rows) || rows.length === 0)
    return refused(400, 'InvalidPayload', 'The payload must be an array of records.')
  for (const row of rows as Fields[])
    for (const [name, value] of Object.entries(row)) {
      const wrong = wrongValue(name, value)
      if (wrong !== undefined) return refused(400, 'InvalidPayload', `${name}: ${wrong}`)
    }
  return (rows as Fields[]).every((row) => 'TimeGenerated' in row)
    ? { status: 204, body: '' }
    : refused(400, 'InvalidPayload', 'TimeGenerated is missing.')
}

/** Azure drops a column that no stream declares, and cuts long values: both would be lost in silence. */
function wrongValue(name: string, value: unknown): string | undefined {
  const type = COLUMNS[name]
  if (type === undefined) return 'no such column'
  if (type === 'int') return Number.isSafeInteger(value) ? undefined : 'no whole number'
  if (typeof value !== 'string') return 'no text'
  if (type === 'datetime')
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? undefined : 'no instant'
  return bytesOf(value) > VALUE ? 'longer than 64 KB' : undefined
}

export const sentinelJudge: ServiceJudge = {
  given: {
    endpoint: ENDPOINT,
    rule_id: RULE,
    stream: STREAM,
    tenant: TENANT,
    client_id: CLIENT,
    client_secret: SECRET,
  },
  open: () => sentinel,
  saidIn: ({ url, body = '' }) => (url.startsWith(ENDPOINT) ? body : ''),
  refusal: refused(
    403,
    'OperationFailed',
    'The authentication token provided does not have access to ingest data.',
  ),
  words:
    'It answered 403: OperationFailed: The authentication token provided does not have access to ingest data.',
  hasDigest: false,
}
