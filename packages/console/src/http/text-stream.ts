// A list as it leaves: a short one whole and with its length, which costs a third of a stream; a long one chunk by chunk.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileStream } from '@rookery/contract/implement.ts'
import { youngGarbage } from '@rookery/kernel/young-garbage.ts'
import { nextImmediate } from '../db/next-immediate.ts'
import { sendText } from './json.ts'
import { attachment } from './send-file.ts'

/** Past this length, what is there is sent while the rest is made. */
const WHOLE_CHARACTERS = 131_072

type Piece = string | Uint8Array

/** Sends JSON text; a failure before the first chunk is answered like any other. */
export async function sendJsonStream(
  reply: FastifyReply,
  chunks: AsyncIterable<string>,
): Promise<FastifyReply> {
  const rest = chunks[Symbol.asyncIterator]()
  const first = await rest.next()
  if (reply.sent) return endUnread(reply, rest)
  if (first.done) return sendText(reply, '')
  reply.header('Content-Type', 'application/json')
  if (first.value.length > WHOLE_CHARACTERS) return sendRest(reply, [first.value], rest)
  const second = await rest.next()
  if (reply.sent) return endUnread(reply, rest)
  if (second.done) return sendText(reply, first.value)
  return sendRest(reply, [first.value, second.value], rest)
}

/** Sends a file as a download; a failure before its first piece is answered like any other. */
export async function sendFileStream(
  reply: FastifyReply,
  { filename, contentType, pieces }: FileStream,
): Promise<FastifyReply> {
  const rest = pieces[Symbol.asyncIterator]()
  const first = await rest.next()
  if (reply.sent) return endUnread(reply, rest)
  reply.header('Content-Disposition', attachment(filename)).header('Content-Type', contentType)
  return sendRest(reply, first.done ? [] : [first.value], rest)
}

/** The call was given up while its list was read, and has its answer: the rest is not read. */
async function endUnread(reply: FastifyReply, rest: AsyncIterator<Piece>): Promise<FastifyReply> {
  await rest.return?.()
  return reply
}

/** Sends what is made, and what is still to be made. */
const sendRest = (reply: FastifyReply, made: readonly Piece[], rest: AsyncIterator<Piece>): FastifyReply =>
  reply.send(yieldingStream(resumed(made, rest)))

async function* resumed(made: readonly Piece[], rest: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield* made
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    // A caller who disconnects ends the work.
    await rest.return?.()
  }
}

/** What is made for a chunk is garbage once it has left: the heap need not grow for it. */
const streamed = youngGarbage(1024 * 1024)

/**
 * The chunks as a stream that makes the next one when the last one has left, and yields to the event loop in between:
 * reading SQLite and writing to a fast socket would otherwise block everything else.
 */
export const yieldingStream = (chunks: AsyncIterable<Piece>): Readable => Readable.from(yielding(chunks))

async function* yielding(chunks: AsyncIterable<Piece>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    streamed(chunk.length)
    await nextImmediate()
  }
}
