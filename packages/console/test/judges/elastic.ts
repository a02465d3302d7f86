import { isIP } from 'node:net'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { bytesOf, isText, objectOf, type Fields, type ServiceJudge, type Verdict } from './judge.ts'

const API_KEY = 'VnVhQ2ZHY0JDZGJrUW0tZTVhT3g6dWkybHAyYXhUTm1z'
const MAX_TERM = 32_766

/** Elasticsearch 8, the bulk API and data streams, with the mappings of `logs-*-*` for what ECS types. */
function elastic({ method, url, body = '', headers }: OutboundRequest): Verdict {
  const refused = (status: number, type: string, reason: string): Verdict => ({
    status,
    body: JSON.stringify({ error: { root_cause: [{ type, reason }], type, reason }, status }),
  })
  if (headers['authorization'] !== `ApiKey ${API_KEY}`)
    return refused(401, 'security_exception', 'unable to authenticate with provided credentials')
  if (method !== 'POST' || new URL(url).pathname !== '/logs-rookery.alert-default/_bulk')
    return refused(405, 'illegal_argument_exception', 'Incorrect HTTP method for uri')
  if (!/^application\/(x-nd)?json$/.test(headers['content-type'] ?? ''))
    return refused(406, 'media_type_header_exception', 'Content-Type header is not supported')
  if (!body.endsWith('\n'))
    return refused(
      400,
      'illegal_argument_exception',
      'The bulk request must be terminated by a newline [\\n]',
    )
  const lines = body.slice(0, -1).split('\n')
  if (lines.length !== 2)
    return refused(400, 'illegal_argument_exception', 'Malformed action/metadata line [3]')
  const [action, document] = lines.map((line) => JSON.parse(line) as Fields)
  const item = itemVerdict(action ?? {}, document ?? {})
  return {
    status: 200,
    body: JSON.stringify({ took: 3, errors: item['error'] !== undefined, items: [{ create: item }] }),
  }
}

function itemVerdict(action: Fields, document: Fields): Fields {
  const wrong = (status: number, type: string, reason: string): Fields => ({
    status,
    error: { type, reason },
  })
  const { _id } = objectOf(action['create'])
  if (Object.keys(action).join() !== 'create')
    return wrong(400, 'illegal_argument_exception', 'only write ops with an op_type of create are allowed')
  if (!isText(_id, 512)) return wrong(400, 'illegal_argument_exception', 'id is too long')
  if (Number.isNaN(Date.parse(String(document['@timestamp']))))
    return wrong(400, 'document_parsing_exception', 'data stream timestamp field [@timestamp] is missing')
  const flat = [...leaves(document)]
  const long = flat.find(([, value]) => typeof value === 'string' && bytesOf(value) > MAX_TERM)
  if (long) return wrong(400, 'illegal_argument_exception', `immense term in field="${long[0]}"`)
  const ip = flat.find(([name, value]) => name.endsWith('.ip') && isIP(String(value)) === 0)
  if (ip) return wrong(400, 'document_parsing_exception', `failed to parse field [${ip[0]}] of type [ip]`)
  const port = flat.find(([name, value]) => name.endsWith('.port') && !Number.isSafeInteger(value))
  if (port)
    return wrong(400, 'document_parsing_exception', `failed to parse field [${port[0]}] of type [long]`)
  return { _id, status: 201, result: 'created' }
}

/** Each value of a document by its dotted name, those of lists too. */
function* leaves(value: unknown, name = ''): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) for (const it of value as unknown[]) yield* leaves(it, name)
  else if (typeof value === 'object' && value !== null)
    for (const [key, it] of Object.entries(value)) yield* leaves(it, name === '' ? key : `${name}.${key}`)
  else yield [name, value]
}

export const elasticJudge: ServiceJudge = {
  given: { url: 'https://elastic.example.com/', api_key: API_KEY },
  open: () => elastic,
  refusal: {
    status: 200,
    body: '{"errors":true,"items":[{"create":{"status":429,"error":{"type":"es_rejected_execution_exception","reason":"rejected execution of coordinating operation"}}}]}',
  },
  words: 'It answered 429: es_rejected_execution_exception: rejected execution of coordinating operation.',
  hasDigest: false,
}
