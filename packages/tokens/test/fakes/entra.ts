// A tenant of Microsoft Entra as far as tokens use it (Microsoft identity platform; Microsoft Graph), with assertions verified.
import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import type { HttpAnswer } from '../../src/channels/http/visit.ts'
import type { FakeRequest } from './outbound.ts'

export const TENANT = '72f988bf-0000-4000-8000-2d7cd011db47'
export const CLIENT = '11111111-0000-4000-8000-000000000001'
export const SECRET = 'a client secret'

export interface FakeApplication {
  readonly id: string
  readonly appId: string
  readonly displayName: string
  readonly tags: readonly string[]
  readonly certificates: readonly X509Certificate[]
}

export interface FakeEntra {
  readonly applications: Map<string, FakeApplication>
  /** Deleted, but not for good. */
  readonly bin: Map<string, FakeApplication>
  readonly servicePrincipals: Set<string>
  readonly signIns: Record<string, unknown>[]
  /** Undefined without a branding; the CSS is empty where none was uploaded. */
  branding: { css: string; signInPageText: string } | undefined
  /** Method and path of each call. */
  readonly calls: string[]
  /** Certificates by which the console may sign in. */
  readonly trusted: X509Certificate[]
  /** How many calls to create a service principal find the app not known yet. */
  lag: number
  /** Calls whose method and path match fail with this status. */
  failing: { readonly matches: RegExp; readonly status: number } | undefined
  now: () => number
  answer(request: FakeRequest): HttpAnswer
  /** Registers an app that can sign in with a certificate (PEM); answers its app id. */
  addApplication(displayName: string, certificate: string): string
}

const ACCESS = 'access to the graph'

export function fakeEntra(now: () => number): FakeEntra {
  const fake: FakeEntra = {
    applications: new Map(),
    bin: new Map(),
    servicePrincipals: new Set(),
    signIns: [],
    calls: [],
    branding: undefined,
    trusted: [],
    lag: 0,
    failing: undefined,
    now,
    answer(request) {
      const [path = '', query = ''] = request.path.split('?')
      const named = `${request.method} ${path}`
      fake.calls.push(named)
      if (fake.failing?.matches.test(named))
        return refusal(fake.failing.status, 'Failed', `${named} fails in this test.`)
      if (path.endsWith('/oauth2/v2.0/token')) return tokenAnswer(fake, request)
      if (request.headers['Authorization'] !== `Bearer ${ACCESS}`)
        return refusal(401, 'InvalidAuthenticationToken', 'Access token is empty.')
      for (const [pattern, handle] of ROUTES) {
        const match = pattern.exec(named)
        if (match) return handle(fake, { ...request, id: match[1] ?? '', query: new URLSearchParams(query) })
      }
      return refusal(404, 'ResourceNotFound', `Resource not found for ${named}.`)
    },
    addApplication(displayName, certificate) {
      const certificates = [new X509Certificate(certificate)]
      const { appId } = register(fake, { displayName, tags: [], certificates })
      fake.servicePrincipals.add(appId)
      return appId
    },
  }
  return fake
}

/** The console's own access, and that of an app with the certificate of a token, which is a sign-in. */
function tokenAnswer(fake: FakeEntra, { path, body, headers }: FakeRequest): HttpAnswer {
  const form = new URLSearchParams(body ?? '')
  const clientId = form.get('client_id') ?? ''
  const audience = `https://${headers['Host']}${path.split('?')[0]}`
  if (!path.startsWith(`/${TENANT}/`))
    return oauthError(400, 'invalid_request', 'AADSTS90002: Tenant not found.')
  const assertion = form.get('client_assertion')
  const own = clientId === CLIENT
  if (own && form.get('client_secret') === SECRET) return granted()
  if (own && assertion && fake.trusted.some((it) => isSignedBy(it, assertion, audience, fake.now())))
    return granted()
  const app = [...fake.applications.values()].find(({ appId }) => appId === clientId)
  const isSigned = app?.certificates.some(
    (it) => assertion && isSignedBy(it, assertion, audience, fake.now()),
  )
  if (!app || !fake.servicePrincipals.has(app.appId) || isSigned !== true)
    return oauthError(401, 'invalid_client', 'AADSTS700027: Client assertion failed signature validation.')
  fake.signIns.push(signInOf(app, fake.now(), fake.signIns.length))
  return granted()
}

const granted = (): HttpAnswer => json(200, { token_type: 'Bearer', expires_in: 3_599, access_token: ACCESS })

/** A JWT with PS256 or RS256 whose claims are right. */
function isSignedBy(certificate: X509Certificate, jwt: string, audience: string, now: number): boolean {
  const [head = '', claims = '', signature = ''] = jwt.split('.')
  const header = parsed(head)
  const { aud, iss, sub, exp, jti } = parsed(claims)
  const isPss = header['alg'] === 'PS256'
  const key = isPss
    ? { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    : certificate.publicKey
  const thumbprints = ['sha1', 'sha256'].map((it) =>
    createHash(it).update(certificate.raw).digest('base64url'),
  )
  return (
    (isPss || header['alg'] === 'RS256') &&
    thumbprints.includes(String(header['x5t#S256'] ?? header['x5t'])) &&
    String(aud).replace(/^http:/, 'https:') === audience &&
    iss === sub &&
    typeof jti === 'string' &&
    Number(exp) * 1000 > now &&
    verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))
  )
}

const parsed = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

const signInOf = (app: FakeApplication, at: number, n: number): Record<string, unknown> => ({
  id: `5ba8cbfd-0000-4000-8000-${String(n).padStart(12, '0')}`,
  createdDateTime: new Date(at).toISOString(),
  appId: app.appId,
  ipAddress: '203.0.113.9',
  location: { city: 'Utrecht', state: 'Utrecht', countryOrRegion: 'NL' },
  resourceDisplayName: 'Microsoft Graph',
  servicePrincipalCredentialThumbprint: app.certificates[0]?.fingerprint.replaceAll(':', ''),
  signInEventTypes: ['servicePrincipal'],
  status: { errorCode: 0, failureReason: null },
})

function register(
  { applications }: FakeEntra,
  given: Omit<FakeApplication, 'id' | 'appId'>,
): FakeApplication {
  const n = String(applications.size + 1).padStart(12, '0')
  const app = { id: `0bjec700-0000-4000-8000-${n}`, appId: `a9900000-0000-4000-8000-${n}`, ...given }
  applications.set(app.id, app)
  return app
}

interface GraphRequest extends FakeRequest {
  readonly id: string
  readonly query: URLSearchParams
}

const ROUTES: readonly (readonly [RegExp, (fake: FakeEntra, request: GraphRequest) => HttpAnswer])[] = [
  [
    /^POST \/v1.0\/applications$/,
    (fake, { body }) => {
      const given = JSON.parse(body ?? '') as FakeApplication & { keyCredentials: { key: string }[] }
      const certificates = given.keyCredentials.map(
        ({ key }) => new X509Certificate(Buffer.from(key, 'base64')),
      )
      const app = register(fake, { displayName: given.displayName, tags: given.tags, certificates })
      return json(201, { id: app.id, appId: app.appId, displayName: app.displayName, tags: app.tags })
    },
  ],
  [
    /^GET \/v1.0\/applications$/,
    ({ applications }, { query }) => {
      const tag = /^tags\/any\(t:t eq '([^']*)'\)$/.exec(query.get('$filter') ?? '')?.[1] ?? ''
      const found = [...applications.values()].filter(({ tags }) => tags.includes(tag))
      return json(200, { value: found.map(({ id }) => ({ id })) })
    },
  ],
  [
    /^DELETE \/v1.0\/applications\/([^/]+)$/,
    ({ applications, bin, servicePrincipals }, { id }) => {
      const app = applications.get(id)
      if (!app) return refusal(404, 'Request_ResourceNotFound', `Resource '${id}' does not exist.`)
      applications.delete(id)
      servicePrincipals.delete(app.appId)
      bin.set(id, app)
      return none()
    },
  ],
  [
    /^DELETE \/v1.0\/directory\/deletedItems\/([^/]+)$/,
    ({ bin }, { id }) =>
      bin.delete(id) ? none() : refusal(404, 'Request_ResourceNotFound', `Resource '${id}' does not exist.`),
  ],
  [
    /^POST \/v1.0\/servicePrincipals$/,
    (fake, { body }) => {
      const { appId } = JSON.parse(body ?? '') as { appId: string }
      const isKnown = [...fake.applications.values()].some((app) => app.appId === appId)
      if (!isKnown || fake.lag-- > 0)
        return refusal(400, 'Request_BadRequest', `'${appId}' does not reference a valid application object.`)
      fake.servicePrincipals.add(appId)
      return json(201, { id: 'sp', appId })
    },
  ],
  [
    /^GET \/beta\/auditLogs\/signIns$/,
    ({ signIns }, { query }) => {
      const filter = query.get('$filter') ?? ''
      const since = Date.parse(/createdDateTime ge (\S+)/.exec(filter)?.[1] ?? '')
      const apps = [...filter.matchAll(/appId eq '([^']+)'/g)].map(([, id]) => id)
      const found = signIns.filter(
        (it) => Date.parse(String(it['createdDateTime'])) >= since && apps.includes(String(it['appId'])),
      )
      // One an answer, so that readers must turn pages.
      const at = Number(query.get('$skiptoken') ?? 0)
      const rest = new URLSearchParams({ $filter: filter, $skiptoken: String(at + 1) })
      return json(200, {
        value: found.slice(at, at + 1),
        ...(at + 1 < found.length && { '@odata.nextLink': `/beta/auditLogs/signIns?${rest}` }),
      })
    },
  ],
  [
    /^GET \/v1.0\/organization\/([^/]+)\/branding$/,
    ({ branding }) =>
      branding ? json(200, { id: '0', ...branding }) : refusal(404, 'NotFound', 'No branding.'),
  ],
  [
    /^PATCH \/v1.0\/organization\/([^/]+)\/branding$/,
    (fake, { body }) => {
      const given = JSON.parse(body ?? '') as { signInPageText: string }
      fake.branding = { css: '', ...fake.branding, ...given }
      return none()
    },
  ],
  [
    /^GET \/v1.0\/organization\/([^/]+)\/branding\/localizations\/0\/customCSS$/,
    ({ branding }) =>
      branding
        ? { status: 200, headers: { 'Content-Type': 'text/css' }, body: branding.css }
        : refusal(404, 'NotFound', 'No branding.'),
  ],
  [
    /^PUT \/v1.0\/organization\/([^/]+)\/branding\/localizations\/0\/customCSS$/,
    (fake, { body = '', headers }) => {
      if (!fake.branding) return refusal(404, 'NotFound', 'No branding.')
      if (headers['Content-Type'] !== 'text/css' || body === '')
        return refusal(400, 'BadRequest', 'The style sheet must be text/css, and not empty.')
      fake.branding = { ...fake.branding, css: body }
      return none()
    },
  ],
]

const json = (status: number, body: object): HttpAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

const none = (): HttpAnswer => ({ status: 204, headers: {}, body: '' })

const refusal = (status: number, code: string, message: string): HttpAnswer =>
  json(status, { error: { code, message } })

const oauthError = (status: number, error: string, description: string): HttpAnswer =>
  json(status, { error, error_description: description })
