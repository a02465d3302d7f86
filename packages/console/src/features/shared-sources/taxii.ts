// TAXII 2.1 (OASIS, 10 June 2021), to read from: one API root with one collection, the sources of the last 30 days. Its answers have
// forms of their own, so it is no part of the API; a key comes as the password of Basic (section 8) or as for the API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault, required } from '@rookery/kernel/fault.ts'
import type { Authenticate } from '../../http/authenticate.ts'
import { STATUS } from '../../http/fault-status.ts'
import { mayCall } from '../../http/mount.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { SeenSource } from '../../stores/incidents/seen-sources.store.ts'
import { indicatorOf, type Indicator } from './indicator.ts'
import { isWanted, pageOf } from './page.ts'
import type { SharedSources } from './sources.ts'

export interface TaxiiDeps {
  readonly authenticate: Authenticate
  readonly vault: Pick<Vault, 'mac'>
  readonly sharedSources: SharedSources
  /** The console's own address as the caller reached it. */
  readonly baseUrl: (request: FastifyRequest) => string
}

const TAXII = 'application/taxii+json;version=2.1'
const STIX = 'application/stix+json;version=2.1'
/** Section 1.6.3: both without a version mean the newest. */
const ACCEPTED = /^(?:application\/taxii\+json|application\/\*|\*\/\*)$/i
const ROOT = '/taxii2/rookery'
const COLLECTION = '9f1d0f0c-6c1e-4b57-8f36-2d5f3d6a7b10'
const DAYS = 30
const LIFETIME_MS = DAYS * 86_400_000

const collection = {
  id: COLLECTION,
  title: 'Sources',
  description: `Addresses that touched decoys or tokens within ${DAYS} days.`,
  can_read: true,
  can_write: false,
  media_types: [STIX],
}

export function serveTaxii(server: FastifyInstance, deps: TaxiiDeps): void {
  type Answer = (request: FastifyRequest, reply: FastifyReply) => object | Promise<object>

  function serve(path: string, answer: Answer): void {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.header('Content-Type', TAXII).header('Cache-Control', 'no-store')
      try {
        await admit(deps, request, reply)
        if (request.method !== 'GET' && request.method !== 'HEAD')
          throw new Fault('forbidden', 'The collection is to be read alone.')
        if (!accepts(request.headers.accept))
          return await reply.code(406).send(json(problem(406, `Answers are ${TAXII}.`, request.id)))
        return await reply.send(json(await answer(request, reply)))
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (error.retryAfterS !== undefined) reply.header('Retry-After', String(error.retryAfterS))
        const status = STATUS[error.code]
        return reply.code(status).send(json(problem(status, error.message, request.id)))
      }
    }
    // With and without the slash at its end.
    server.route({ method: ['GET', 'POST', 'DELETE'], url: path, handler })
  }

  const known = (request: FastifyRequest): void => {
    const { id } = request.params as { readonly id?: string }
    if (id !== COLLECTION) throw new Fault('not-found', 'There is no such collection.')
  }

  /** The objects that the filters of the request leave, and the headers that say when they were added. */
  async function found(request: FastifyRequest, reply: FastifyReply, object?: string) {
    known(request)
    const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
    const rows = await deps.sharedSources({ scope: 'all', days: DAYS, levels: 'used,tried,looked' })
    const whole = new Map<SeenSource, Indicator>()
    const indicator = (source: SeenSource): Indicator => {
      const made = whole.get(source) ?? indicatorOf(deps.vault, source, LIFETIME_MS)
      whole.set(source, made)
      return made
    }
    const asks = [...query.keys()].some((name) => name.startsWith('match['))
    const { sources, next } = pageOf(rows, query, (source) => {
      if (object === undefined && !asks) return true
      const { id, type, modified } = indicator(source)
      return (
        (object === undefined || object === id) &&
        isWanted(query, 'id', id) &&
        isWanted(query, 'type', type) &&
        // There is one version of each.
        isWanted(query, 'version', modified, 'last', 'first', 'all') &&
        isWanted(query, 'spec_version', '2.1')
      )
    })
    const [first, last] = [sources[0], sources.at(-1)]
    if (first && last)
      reply.header('X-TAXII-Date-Added-First', added(first)).header('X-TAXII-Date-Added-Last', added(last))
    const more = { more: next !== undefined, ...(next !== undefined && { next }) }
    return {
      more,
      found: sources.map((source) => ({ indicator: indicator(source), date_added: added(source) })),
    }
  }

  serve('/taxii2', (request) => {
    const root = `${deps.baseUrl(request)}${ROOT}/`
    return { title: 'Rookery', description: 'What decoys and tokens saw.', default: root, api_roots: [root] }
  })
  serve(ROOT, () => ({ title: 'Rookery', versions: [TAXII], max_content_length: 1 }))
  serve(`${ROOT}/collections`, () => ({ collections: [collection] }))
  serve(`${ROOT}/collections/:id`, (request) => (known(request), collection))
  serve(`${ROOT}/collections/:id/objects`, async (request, reply) => {
    const { more, found: all } = await found(request, reply)
    return all.length === 0 ? {} : { ...more, objects: all.map(({ indicator }) => indicator) }
  })
  serve(`${ROOT}/collections/:id/objects/:object`, async (request, reply) => {
    const { more, found: all } = await found(request, reply, objectOf(request))
    if (all.length === 0) throw new Fault('not-found', 'There is no such object.')
    return { ...more, objects: all.map(({ indicator }) => indicator) }
  })
  serve(`${ROOT}/collections/:id/objects/:object/versions`, async (request, reply) => {
    const { found: all } = await found(request, reply, objectOf(request))
    const [only] = all
    return { more: false, versions: [required(only, 'There is no such object.').indicator.modified] }
  })
  serve(`${ROOT}/collections/:id/manifest`, async (request, reply) => {
    const { more, found: all } = await found(request, reply)
    if (all.length === 0) return {}
    const objects = all.map(({ indicator: { id, modified: version }, date_added }) => ({
      id,
      date_added,
      version,
      media_type: STIX,
    }))
    return { ...more, objects }
  })
}

const objectOf = ({ params }: FastifyRequest): string => (params as { readonly object: string }).object

/** Section 4.1: to the microsecond. */
const added = ({ last_at }: SeenSource): string => new Date(last_at).toISOString().replace('Z', '000Z')

/** Bytes: of a text the server would spell the type in another way, which clients do not know. */
const json = (answer: object): Buffer => Buffer.from(JSON.stringify(answer))

const problem = (status: number, title: string, id: string) => ({
  title,
  error_id: id,
  http_status: String(status),
})

function accepts(header: string | undefined): boolean {
  if (header === undefined) return true
  return header.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((it) => it.trim())
    const version = parameters.find((it) => /^version=/i.test(it))
    return ACCEPTED.test(type) && (version === undefined || /^version="?2\.1"?$/i.test(version))
  })
}

async function admit(
  { authenticate }: TaxiiDeps,
  { headers, ip }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [, basic] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const password =
    basic &&
    Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  const given = headers['x-auth-token'] ?? bearer ?? password
  try {
    const caller = await authenticate(typeof given === 'string' && given !== '' ? given : undefined, ip)
    if (!mayCall(caller, 'indicators') || caller.scope !== 'all')
      throw new Fault('forbidden', `Key ${caller.keyId} is ${caller.type}; one of type indicators is needed.`)
  } catch (error) {
    if (error instanceof Fault && error.code === 'unauthenticated')
      reply.header('WWW-Authenticate', 'Basic realm="taxii"')
    throw error
  }
}
