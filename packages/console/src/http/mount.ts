// Mounts the contract's routes: find the key, authenticate, check role and Flock, read the body, coerce, handle, answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EventStream, FileAnswer, FileStream, JsonStream, type Route } from '@rookery/contract/implement.ts'
import { mayBeCompressed } from '@rookery/contract/compression.ts'
import type { Operation, Role } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Availability } from '../db/availability.ts'
import type { Admission } from '../admission/admission.ts'
import { sourceNetwork } from '../addresses/source-network.ts'
import type { KeyType } from '../stores/keys/tables.ts'
import type { Authenticate } from './authenticate.ts'
import type { Call, Caller } from './call.ts'
import { openAuditedChange, type AuditedChangeDeps } from './audited-change.ts'
import { coerce, refuseEmptyOrUnknown } from './coerce.ts'
import { letCompress } from './compress.ts'
import { eventStreamSender, type SendEventStream } from './event-streams.ts'
import { sendJson } from './json.ts'
import type { BodyBudget } from './body/budget.ts'
import { isLoopbackHost } from '../addresses/own-address.ts'
import { isUnspecified } from '../addresses/reachable-address.ts'
import { sendFileStream, sendJsonStream } from './text-stream.ts'
import { mergeParameters, type RawParameters } from './parameters.ts'
import { isSecure, refuseForeignPage, type Person, type ReadPerson } from './person.ts'
import { personCaller } from './person-caller.ts'
import { requestBody, type RequestBody } from './body/read.ts'
import { routeTable } from './route-table.ts'
import type { ServedMethods } from './served-methods.ts'
import { fileSender, type SendFile } from './send-file.ts'

export interface MountDeps {
  readonly authenticate: Authenticate
  readonly readPerson: ReadPerson
  readonly auditedChange: AuditedChangeDeps
  readonly bodies: BodyBudget
  readonly methods: Pick<ServedMethods, 'add'>
  readonly availability: Availability
  readonly admission: Pick<Admission, 'noteAuthenticated' | 'noteSession'>
  /** `ROOKERY_PUBLIC_URL`, or undefined: then the request's own host is used in links. */
  readonly publicUrl: string | undefined
  /** The console's address for people; empty where there is none. */
  readonly consoleUrl: () => string
  /** Tests let every answer be checked against the contract. */
  readonly checkAnswer?: (operation: Operation, answer: object) => void
}

const PREFIX = '/api/v1'
const ENCODED_SLASH = /%2f/i

const RANK: Record<KeyType, number> = {
  'decoytoken-deploy': 0,
  indicators: 1,
  'read-only': 2,
  analyst: 3,
  admin: 4,
}
const LEAST: Record<Exclude<Role, 'factory' | 'nobody' | 'person'>, number> = { ...RANK, any: 0 }

export function mayCall({ type, person }: Pick<Caller, 'type' | 'person'>, role: Role): boolean {
  if (role === 'nobody') return true
  if (role === 'person') return person !== undefined
  return role === 'factory' ? type === 'decoytoken-deploy' || type === 'admin' : RANK[type] >= LEAST[role]
}

/** Of operations that need neither key nor session. */
const NOBODY: Caller = { keyId: '', person: undefined, type: 'decoytoken-deploy', scope: [] }

/** Serves every route under `/api/v1`; DELETE paths take POST, too. */
export function mount(server: FastifyInstance, routes: readonly Route<Call>[], mounting: MountDeps): void {
  const deps = { ...mounting, sendFile: fileSender(), sendEvents: eventStreamSender(server) }
  const table = routeTable(routes)
  for (const [method, path] of table.served) mounting.methods.add(method, PREFIX + path)
  server.route<{ Params: { readonly '*': string } }>({
    method: ['GET', 'POST', 'DELETE'],
    url: `${PREFIX}/*`,
    handler(request, reply) {
      // `*` is decoded: an encoded slash would be one that parts the path.
      const route = ENCODED_SLASH.test(pathOf(request))
        ? undefined
        : table.find(request.method, `/${request.params['*']}`)
      if (!route) return reply.callNotFound()
      // The page hears that the database is silent from its other calls.
      const isLong = route.operation.readsLong || route.operation.answers === 'events'
      return deps.availability.guard(() => serve(route, request, reply, deps), isLong)
    },
  })
}

type ServeDeps = MountDeps & { readonly sendFile: SendFile; readonly sendEvents: SendEventStream }

async function serve(
  route: Route<Call>,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeDeps,
): Promise<FastifyReply> {
  const body = requestBody(request.raw, route.operation, deps.bodies, sourceNetwork(request.ip))
  if (!body) return answerCall(route, request, reply, deps, undefined)
  try {
    return await answerCall(route, request, reply, deps, body)
  } catch (error) {
    if (body.wasCut()) reply.header('Connection', 'close')
    throw error
  } finally {
    body.release()
  }
}

async function answerCall(
  { operation, handle }: Route<Call>,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ServeDeps,
  body: RequestBody | undefined,
): Promise<FastifyReply> {
  const { admission, auditedChange, publicUrl, consoleUrl, checkAnswer, sendFile, sendEvents } = deps
  const query = new URLSearchParams(queryOf(request))
  const { caller, isFactoryAuth } = await findCaller(operation, request, query, deps, body)
  if (caller !== NOBODY) admission.noteAuthenticated(request.raw.socket)
  if (caller.person?.lacks === 'nothing') admission.noteSession(request.raw.socket)
  checkRole(operation, caller, isFactoryAuth)
  // A body that cannot be read is reported only to a caller who may see the Flock.
  const inQuery = mergeParameters(query)
  checkFlock(caller, inQuery)
  const raw = body ? mergeParameters(query, await body.readAll(caller.keyId)) : inQuery
  checkFlock(caller, raw)
  if (operation.isStrict) refuseEmptyOrUnknown(operation.params, raw)
  const params = coerce(operation.params, raw)
  checkDefaultFlock(caller, raw, params)
  // It was given up meanwhile.
  if (reply.sent) return reply
  const { finish, ...changes } = openAuditedChange(auditedChange, {
    operation,
    params,
    caller,
    address: request.ip,
  })
  const reachedUrl = `${request.protocol}://${request.host}`
  const isNear = isLoopbackHost(request.hostname) || isUnspecified(request.hostname)
  const answer = await handle(params, {
    caller,
    address: request.ip,
    requestId: request.id,
    baseUrl: publicUrl ?? reachedUrl,
    sharedUrl: publicUrl ?? ((isNear && consoleUrl()) || reachedUrl),
    userAgent: request.headers['user-agent'] ?? '',
    isSecure: isSecure(request),
    host: request.host,
    setHeader: (name, value) => void reply.header(name, value),
    keyInQuery: query.get('auth_token') ?? undefined,
    ...changes,
  })
  await finish()
  if (reply.sent) return reply
  if (answer instanceof FileAnswer) return sendFile(reply, answer)
  if (answer instanceof FileStream) return sendFileStream(reply, answer)
  if (answer instanceof EventStream) return sendEvents(reply, answer)
  // Links of lists carry a key that came in the query.
  if (mayBeCompressed(operation) && !query.has('auth_token')) letCompress(reply)
  if (answer instanceof JsonStream) return sendJsonStream(reply, answer.pieces)
  checkAnswer?.(operation, answer)
  return sendJson(reply, 'result' in answer ? answer : { result: 'success', ...answer })
}

/** A key counts before a session: a script that sends both means its key. */
async function findCaller(
  operation: Operation,
  request: FastifyRequest,
  query: URLSearchParams,
  { authenticate, readPerson }: ServeDeps,
  body: RequestBody | undefined,
): Promise<{ readonly caller: Caller; readonly isFactoryAuth: boolean }> {
  const isForNobody = operation.role === 'nobody'
  const key = isForNobody ? undefined : apiKeyOutsideBody(request, query)
  const factoryAuth =
    operation.role === 'factory'
      ? query.get('factory_auth') || (await body?.findKey('factory_auth', key !== undefined)) || undefined
      : undefined
  const session = (factoryAuth ?? key) === undefined ? await readPerson(request) : undefined
  const person = session && ADMITTED[operation.sessions].includes(session.lacks) ? session : undefined
  if (session && !person && !isForNobody) throw new Fault('unauthenticated', LACKING[session.lacks])
  if (person || isForNobody) refuseForeignPage(request)
  if (person)
    return {
      caller: personCaller(person, operation, mergeParameters(query)['flock_id']),
      isFactoryAuth: false,
    }
  if (isForNobody) return { caller: NOBODY, isFactoryAuth: false }
  const found = factoryAuth ?? key ?? ((await body?.findKey('auth_token', false)) || undefined)
  const keyName = operation.role === 'factory' ? 'factory_auth' : 'auth_token'
  return { caller: await authenticate(found, request.ip, keyName), isFactoryAuth: factoryAuth !== undefined }
}

const PROVE =
  'Prove once more that it is you, with your password or a second factor; it counts for ten minutes.'

/** What sessions may lack for an operation. */
const ADMITTED: Record<Operation['sessions'], readonly Person['lacks'][]> = {
  whole: ['nothing'],
  enrolling: ['nothing', 'enrolment'],
  any: ['nothing', 'enrolment', 'factor'],
}
const LACKING: Record<Person['lacks'], string> = {
  nothing: '',
  enrolment: 'Everybody needs a second factor here: add yours first.',
  factor: 'The second factor is still missing: sign in with it first.',
}

function queryOf({ raw: { url = '' } }: FastifyRequest): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

const pathOf = ({ raw: { url = '' } }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

function apiKeyOutsideBody({ headers }: FastifyRequest, query: URLSearchParams): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const candidates = [query.get('auth_token'), headers['x-auth-token'], bearer]
  return candidates.find((key): key is string => typeof key === 'string' && key !== '')
}

/** `isFactoryAuth`: the key came as `factory_auth`, which takes deploy keys alone. */
function checkRole(operation: Operation, caller: Caller, isFactoryAuth: boolean): void {
  if (isFactoryAuth && caller.type !== 'decoytoken-deploy')
    throw new Fault('forbidden', `factory_auth must be a factory key; key ${caller.keyId} is ${caller.type}.`)
  if (operation.reach === 'console' && caller.scope !== 'all') throw new Fault('forbidden', isLimited(caller))
  if (mayCall(caller, operation.role)) {
    if (operation.stepUp && caller.person?.isProven === false) throw new Fault('step-up', PROVE)
    return
  }
  if (caller.person)
    throw new Fault('forbidden', 'Only who manages a Flock can do this there; you manage none.')
  if (operation.role === 'person')
    throw new Fault('forbidden', 'This operation is for people who are signed in; it takes no key.')
  const needs = operation.role === 'factory' ? 'a factory key' : `a key of type ${operation.role}`
  throw new Fault('forbidden', `This operation needs ${needs}; key ${caller.keyId} is ${caller.type}.`)
}

const isLimited = ({ person, keyId, scope }: Caller): string =>
  person
    ? 'Only admins can do this; you are no admin, but have a part in some Flocks.'
    : `This operation reaches the whole console; key ${keyId} is limited to Flock ${scope[0] ?? ''}.`

function checkFlock(caller: Caller, raw: RawParameters): void {
  if (caller.scope === 'all' || !('flock_id' in raw)) return
  const asked = raw['flock_id']
  if (asked === '' || (typeof asked === 'string' && caller.scope.includes(asked))) return
  // A JSON list of one is read as its text later, so it is refused here. A file is as long as it likes: it is not shown.
  const flock = typeof asked === 'string' ? `Flock ${asked.slice(0, 64)}` : 'a flock_id that is not one text'
  const who = caller.person ? 'You have' : `Key ${caller.keyId} has`
  const onlyWatches = caller.person?.watched.some((id) => id === asked)
  throw new Fault(
    'forbidden',
    onlyWatches ? `You watch ${flock}; only who manages it can do this.` : `${who} no access to ${flock}.`,
  )
}

/** A Flock that was left out is the default one, and in reach only by itself. */
function checkDefaultFlock(
  caller: Caller,
  raw: RawParameters,
  params: Readonly<Record<string, unknown>>,
): void {
  const { flock_id } = params
  if (caller.scope === 'all' || 'flock_id' in raw || typeof flock_id !== 'string' || flock_id === '') return
  if (caller.scope.includes(flock_id)) return
  throw new Fault(
    'forbidden',
    'Name a Flock in flock_id: without it the default one is meant, which is not yours.',
  )
}
