// Services that take alerts, as their published rules have them: each takes or refuses what is sent to it.
import { isIP } from 'node:net'
import type { OutboundRequest } from '@rookery/kernel/world.ts'

export interface Verdict {
  readonly status: number
  readonly body: string
}

export interface ServiceJudge {
  /** What `add` is given. */
  readonly given: Readonly<Record<string, string>>
  readonly judge: (request: OutboundRequest) => Verdict
  /** What a request says, as one text. */
  readonly saidIn?: (request: OutboundRequest) => string
  /** It refuses in its own words, which the log shows. */
  readonly refusal: Verdict
  readonly words: string
  /** Whether a minute of many alerts is folded into a digest. */
  readonly hasDigest: boolean
}

type Fields = Readonly<Record<string, unknown>>

const bytesOf = (text: string): number => Buffer.byteLength(text)
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= most
const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

const ROUTING_KEY = 'e93facc04764012d7bfb002500d5d1a6'

/** PagerDuty/api-schema, reference/events-v2/openapiv3.json, and the limits of developer-docs/docs/events-API-v2. */
function pagerduty({ method, url, body = '', headers }: OutboundRequest): Verdict {
  const refused = (...errors: string[]): Verdict => ({
    status: 400,
    body: JSON.stringify({ status: 'invalid event', message: 'Event object is invalid', errors }),
  })
  if (method !== 'POST' || !/^https:\/\/events\.(eu\.)?pagerduty\.com\/v2\/enqueue$/.test(url))
    return { status: 404, body: '' }
  if (headers['content-type'] !== 'application/json') return refused('JSON parse error')
  if (bytesOf(body) > 512 * 1_024) return { status: 413, body: '' }
  const event = JSON.parse(body) as Fields
  const { routing_key, event_action, dedup_key, payload, links } = event
  if (!isText(routing_key, 32) || routing_key.length !== 32)
    return refused("Length of 'routing_key' is incorrect (should be 32 characters)")
  if (routing_key !== ROUTING_KEY) return refused('Invalid routing key')
  if (dedup_key !== undefined && !isText(dedup_key, 255)) return refused("'dedup_key' is too long")
  if (event_action === 'acknowledge' || event_action === 'resolve')
    return dedup_key === undefined ? refused("'dedup_key' is missing or blank") : accepted(dedup_key)
  if (event_action !== 'trigger') return refused("'event_action' is invalid")
  const {
    summary,
    source,
    severity,
    timestamp,
    component = 'c',
    group = 'g',
    class: kind = 'k',
    ...rest
  } = objectOf(payload)
  if (!isText(summary, 1_024)) return refused("'payload.summary' is missing or too long")
  if (!isText(source, 1_024)) return refused("'payload.source' is missing or blank")
  if (!['critical', 'error', 'warning', 'info'].includes(String(severity)))
    return refused("'payload.severity' is invalid (must be one of critical, warning, error, info)")
  if (Number.isNaN(Date.parse(String(timestamp)))) return refused("'payload.timestamp' is invalid")
  if (![component, group, kind].every((it) => isText(it, 1_024))) return refused("'payload' is invalid")
  if (Object.keys(rest).some((it) => it !== 'custom_details')) return refused("'payload' is invalid")
  for (const link of (links ?? []) as Fields[])
    if (!URL.canParse(String(link['href']))) return refused("'links' is invalid")
  return accepted(dedup_key ?? 'made')
}

const accepted = (dedup_key: unknown): Verdict => ({
  status: 202,
  body: JSON.stringify({ status: 'success', message: 'Event processed', dedup_key }),
})

const API_KEY = 'VnVhQ2ZHY0JDZGJrUW0tZTVhT3g6dWkybHAyYXhUTm1z'
const LONGEST_TERM = 32_766

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
  const long = flat.find(([, value]) => typeof value === 'string' && bytesOf(value) > LONGEST_TERM)
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

/** Kind to its judge. */
export const serviceJudges: Readonly<Record<string, ServiceJudge>> = {
  pagerduty: {
    given: { routing_key: ROUTING_KEY },
    judge: pagerduty,
    refusal: {
      status: 400,
      body: `{"status":"invalid event","message":"Event object is invalid","errors":["No service for ${ROUTING_KEY}"]}`,
    },
    words: 'Event object is invalid; No service for …; check the integration key in PagerDuty',
    hasDigest: true,
  },
  elastic: {
    given: { url: 'https://elastic.example.com/', api_key: API_KEY },
    judge: elastic,
    refusal: {
      status: 200,
      body: '{"errors":true,"items":[{"create":{"status":429,"error":{"type":"es_rejected_execution_exception","reason":"rejected execution of coordinating operation"}}}]}',
    },
    words: 'It answered 429: es_rejected_execution_exception: rejected execution of coordinating operation.',
    hasDigest: false,
  },
}
