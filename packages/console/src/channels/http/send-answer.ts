// Sends what a kind answers: what is in memory at once, an uploaded file piece by piece, as fast as its reader takes it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { limit } from '@rookery/kernel/limit.ts'
import type { HttpAnswer } from '@rookery/tokens/channels/http/visit.ts'
import { isStoredFile, type StoredFile } from '@rookery/tokens/settings.ts'
import type { ApacheError } from './apache-errors.ts'
import { headWriter } from './apache-head.ts'

/** The pieces of an uploaded file. */
export type ReadFile = (file: StoredFile) => AsyncGenerator<Uint8Array>

/** Rejects before the head is sent when a file cannot be read, or too many are being sent. */
export type SendAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpAnswer | ApacheError,
) => Promise<void> | undefined

/** Each has at most two pieces of 256 KiB in memory. */
const FILES_BEING_SENT = limit('token_files_being_sent', 64)
/** A reader of a file who takes nothing for this time is disconnected. */
const STALLED_MS = 10_000
const SMALL_BODY_BYTES = 4_096

/** `now` in milliseconds since the epoch. */
export function answerSender(readFile: ReadFile, now: () => number): SendAnswer {
  const headOf = headWriter(now)
  let sending = 0

  async function sendFile(response: ServerResponse, file: StoredFile, writeHead: () => void): Promise<void> {
    if (sending >= FILES_BEING_SENT.max) {
      FILES_BEING_SENT.hit()
      throw new Error(`${FILES_BEING_SENT.max} files of tokens are being sent.`)
    }
    sending++
    try {
      const pieces = readFile(file)
      const first = await pieces.next()
      writeHead()
      response.setTimeout(STALLED_MS, () => response.destroy())
      await pipeline(Readable.from(resumed(first, pieces), { highWaterMark: 1 }), response)
    } catch (error) {
      // The reader has gone.
      if (!(response.headersSent && response.closed)) throw error
    } finally {
      sending--
    }
  }

  return (request, response, answer) => {
    const { status, body } = answer
    const length = isStoredFile(body) ? body.size : Buffer.byteLength(body)
    const isError = 'reason' in answer
    if (isError) response.statusMessage = answer.reason
    const writeHead = () => {
      // To HEAD, Apache does not say how long its own page would be.
      const said = isError && request.method === 'HEAD' ? undefined : length
      const { fields, closes } = headOf(request, answer, said)
      // Node would add its own Date and Connection.
      response.sendDate = false
      response.removeHeader('Connection')
      if (closes) response.shouldKeepAlive = false
      return response.writeHead(status, fields)
    }
    if (request.method === 'HEAD') return void writeHead().end()
    if (isStoredFile(body)) return sendFile(response, body, writeHead)
    writeHead()
    // Node.js sends a text in one write with the head, and bytes in a second one.
    if (typeof body !== 'string' && length <= SMALL_BODY_BYTES)
      response.end(Buffer.from(body).toString('latin1'), 'latin1')
    else response.end(body)
    return undefined
  }
}

async function* resumed(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return
  yield first.value
  yield* rest
}
