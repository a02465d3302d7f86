// What log shippers need to hear: Winlogbeat sends by the bulk requests of a search server, and asks it who it is first.
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store, max-age=0',
  'X-Robots-Tag': 'noindex',
  'X-Elastic-Product': 'Elasticsearch',
}

/** The version must not be older than the shipper's, unless it is set to take that. */
const SERVER = {
  name: 'logs',
  cluster_name: 'logs',
  version: { number: '8.19.0', build_flavor: 'default' },
  tagline: 'You Know, for Search',
}
const LICENSE = { license: { status: 'active', uid: '0', type: 'basic', mode: 'basic' } }

const json = (value: unknown): HttpAnswer => ({ status: 200, headers, body: JSON.stringify(value) })

/** Every event counts as taken: the shipper would send it again and again. */
export function shipperAnswer({ method, path, body = '' }: HttpVisit): HttpAnswer {
  const pathname = path.split('?')[0] ?? ''
  if (method !== 'POST' && method !== 'PUT') return json(pathname.endsWith('/_license') ? LICENSE : SERVER)
  if (!pathname.endsWith('/_bulk')) return json({})
  const actions = body.match(/^\{"(?:create|index)":/gm) ?? []
  return json({ took: 0, errors: false, items: actions.map(() => ({ create: { status: 201 } })) })
}
