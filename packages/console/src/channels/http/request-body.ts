// The body of a request to the token host: its first 64 KiB, whatever becomes of its sender. What else comes is dropped.
import type { IncomingMessage } from 'node:http'
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { openByteDropper, type DropBytes } from '../../admission/drop-bytes.ts'

/** What of a visit is its body. */
export interface RequestBody {
  readonly body?: string
  readonly isBodyCut?: true
}

export interface HeldBody {
  readonly content: RequestBody
  /** Called once nothing holds the text any more. */
  readonly release: () => void
}

export interface BodyReader {
  /** Resolves when the body ends, is longer than what is kept, or its sender is gone; undefined for a request without one. */
  read(request: IncomingMessage): Promise<HeldBody> | undefined
  /** The body is of no interest. */
  drop(request: IncomingMessage): void
}

export const MAX_BODY_BYTES = 64 * 1024
/** Each takes up to 64 KiB until its touch is stored. */
const BODIES = limit('token_request_bodies', 256)
/** What is read and dropped of all bodies together; beyond it their senders wait. */
const DROPPED_PER_SECOND = limit('token_request_bytes_dropped_per_second', 16 * 1024 * 1024)

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

export function bodyReader(clock: Pick<Clock, 'after'>): BodyReader {
  const drop = openByteDropper(clock, DROPPED_PER_SECOND)
  let held = 0

  /** Hands the place of a body back, once. */
  function releaser(): () => void {
    let isHeld = true
    return () => {
      if (isHeld) held--
      isHeld = false
    }
  }

  return {
    drop: (request) => void drop(request),
    read(request) {
      if (!hasBody(request)) {
        request.resume()
        return undefined
      }
      if (held >= BODIES.max) {
        BODIES.hit()
        drop(request)
        return Promise.resolve({ content: { isBodyCut: true }, release: () => undefined })
      }
      held++
      const release = releaser()
      return read(request, drop).then((content) => ({ content, release }))
    },
  }
}

/** What comes behind the kept bytes is read and discarded, so that the connection can be used again. */
function read(request: IncomingMessage, drop: DropBytes): Promise<RequestBody> {
  const body = byteCollector()
  let length = 0
  return new Promise((resolve) => {
    const finish = (isCut: boolean): void => {
      request.off('data', take).off('end', end).off('close', close)
      drop(request)
      resolve({ body: body.bytes().toString(), ...(isCut && { isBodyCut: true }) })
    }
    const take = (chunk: Buffer): void => {
      body.add(chunk.subarray(0, MAX_BODY_BYTES - length))
      length += chunk.length
      if (length > MAX_BODY_BYTES) finish(true)
    }
    const end = (): void => finish(false)
    // A sender who is gone before the end has touched the token all the same.
    const close = (): void => finish(!request.complete)
    request.on('data', take).on('end', end).on('close', close)
    request.on('error', () => undefined)
    // It waited its turn meanwhile, and tells of its end no more.
    if (request.destroyed) close()
  })
}
