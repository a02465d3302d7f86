// Requests that the HTTP parser of Node.js rejects, though another server would serve them: one that names a token is a touch of
// it all the same, stored before the answer.
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { rejectionOf, type ApacheError } from './apache-errors.ts'
import { rejectedRequest, type RejectedRequest } from './rejected-request.ts'

export interface Rejection {
  readonly answer: ApacheError
  readonly isHead: boolean
  /** Resolves once the touch is stored; undefined for a request that names no token. */
  readonly touched: Promise<unknown> | undefined
}

export interface Rejections {
  /** Takes each `clientError` as it comes, before it waits for the answers to the requests before it. */
  note(error: RejectionError, socket: Socket): void
  of(socket: Duplex): Rejection | undefined
}

/** As Node.js gives it; without its piece for what is no matter of the parser. */
export interface RejectionError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** The parser of Node.js has the request whose head it has read last. */
interface Parsed {
  readonly parser?: { readonly incoming?: { readonly complete: boolean } | null } | null
}

/** `touch` answers undefined for a request that names no token. */
export function openRejections(
  touch: (request: RejectedRequest, socket: Socket) => Promise<unknown> | undefined,
  log: Logger,
): Rejections {
  const rejections = new WeakMap<Duplex, Rejection>()
  return {
    of: (socket) => rejections.get(socket),
    note(error, socket) {
      // Whatever follows it is rejected, too, and is one event with it.
      if (rejections.has(socket)) return
      const { code, rawPacket, bytesParsed = 0 } = error
      // What is wrong with the body of a request is none of its own.
      const isInBody = (socket as Parsed).parser?.incoming?.complete === false
      const request = rawPacket && !isInBody ? rejectedRequest(rawPacket, bytesParsed) : undefined
      const touched = request && touch(request, socket)
      touched?.catch((thrown: unknown) => log.error({ err: thrown }, 'touch of a token failed'))
      rejections.set(socket, {
        answer: rejectionOf(code, request),
        isHead: request?.method === 'HEAD',
        touched: touched?.catch(() => undefined),
      })
    },
  }
}
