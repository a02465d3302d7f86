import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { bytesOf, isText, objectOf, type Fields, type ServiceJudge, type Verdict } from './judge.ts'

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

export const pagerdutyJudge: ServiceJudge = {
  given: { routing_key: ROUTING_KEY },
  open: () => pagerduty,
  refusal: {
    status: 400,
    body: `{"status":"invalid event","message":"Event object is invalid","errors":["No service for ${ROUTING_KEY}"]}`,
  },
  words: 'Event object is invalid; No service for …; check the integration key in PagerDuty',
  hasDigest: true,
}
