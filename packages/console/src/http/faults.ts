// Every failure is answered in one JSON form; what is not a Fault shows a request id alone.
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '@rookery/kernel/fault.ts'
import { isAnswered } from './body/discard.ts'
import { STATUS } from './fault-status.ts'
import { sendJson } from './json.ts'
import type { AnswerPage } from './page/serve-page.ts'
import type { NoteRefused } from './refused-calls.ts'
import type { ServedMethods } from './served-methods.ts'
import type { SecurityHeaders } from './security-headers.ts'

/** The fault behind a failure of the database; undefined for every other error. */
export type DiagnoseOutage = (error: unknown) => Fault | undefined

/** Installs the answers for faults, unknown routes and wrong methods. */
export function answerFaults(
  server: FastifyInstance,
  outage: DiagnoseOutage,
  noteRefused: NoteRefused,
  methods: Pick<ServedMethods, 'of'>,
  answerPage: () => AnswerPage | undefined,
): void {
  server.setErrorHandler((error: FastifyError | Fault, request, reply) => {
    const fault = asFault(error) ?? outage(error)
    if (fault) noteRefused(fault, request)
    return answerFault(fault, request, reply, error)
  })
  server.setNotFoundHandler((request, reply) => {
    const [asked = ''] = request.url.split('?')
    const path = asRouted(asked)
    const allowed = methods.of(path)
    const page = allowed.length === 0 ? answerPage()?.(request, reply) : undefined
    if (page) return page
    if (allowed.length > 0) reply.header('Allow', allowed.join(', '))
    const fault =
      allowed.length > 0
        ? new Fault(
            'method-not-allowed',
            `${request.method} is not allowed here: use ${allowed.join(' or ')}.`,
          )
        : new Fault('not-found', `There is no ${path.slice(0, 200)}. The API is described at /docs.`)
    return answerFault(fault, request, reply)
  })
}

/** The path as the router takes it, which leaves out further slashes. */
const asRouted = (path: string): string => path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')

function asFault(error: FastifyError | Fault): Fault | undefined {
  if (error instanceof Fault) return error
  if (error.statusCode === 415) return new Fault('unsupported-media-type', error.message)
  if (error.statusCode !== undefined && error.statusCode < 500) return new Fault('bad-input', error.message)
  return undefined
}

/** Answers a fault; undefined is an internal error, which is logged. */
export function answerFault(
  fault: Fault | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  error?: unknown,
): FastifyReply {
  if (!fault) request.log.error({ reqId: request.id, err: error }, 'request failed')
  else if (fault.code === 'unavailable')
    request.log.warn({ reqId: request.id, err: fault }, 'request refused: service unavailable')
  if (fault?.retryAfterS !== undefined) reply.header('Retry-After', String(fault.retryAfterS))
  return sendJson(reply.code(fault ? STATUS[fault.code] : 500), faultBody(fault, request.id))
}

const faultBody = (fault: Fault | undefined, requestId: string): object => ({
  result: 'error',
  message: fault?.message ?? 'Something went wrong inside the console; its log has the details.',
  error: fault?.code ?? 'internal',
  ...(fault?.details && { details: fault.details }),
  request_id: requestId,
})

/** Answers bytes that are no HTTP request, and closes: the sender may never close. */
export function refuseBytes(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  headers: SecurityHeaders,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswered(socket)) return void socket.destroy()
  const [status, fault] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? (['431 Request Header Fields Too Large', new Fault('too-large', 'The header is too large.')] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? (['408 Request Timeout', new Fault('bad-input', 'The request did not end in time.')] as const)
        : (['400 Bad Request', new Fault('bad-input', 'This is not an HTTP request.')] as const)
  const body = JSON.stringify(faultBody(fault, requestId)) + '\n'
  const head = Object.entries({
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
}
