// A list as it leaves: a short one whole and with its length, which costs a third of a stream; a long one piece by piece.
import type { FastifyReply } from 'fastify'
import { sendText } from './json.ts'
import { paced } from './paced.ts'

/** Past this it is no short list: what is there goes out while the rest is made. */
const SHORT = 131_072

/** Sends JSON text; a failure before the first piece is answered like any other. */
export async function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string>): Promise<FastifyReply> {
  const rest = pieces[Symbol.asyncIterator]()
  const first = await rest.next()
  if (first.done) return sendText(reply, '')
  if (first.value.length > SHORT) return sendStream(reply, [first.value], rest)
  const second = await rest.next()
  if (second.done) return sendText(reply, first.value)
  return sendStream(reply, [first.value, second.value], rest)
}

const sendStream = (
  reply: FastifyReply,
  made: readonly string[],
  rest: AsyncIterator<string>,
): FastifyReply => reply.header('Content-Type', 'application/json').send(paced(joined(made, rest)))

async function* joined(made: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield* made
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    // A caller who goes away ends the work.
    await rest.return?.()
  }
}
