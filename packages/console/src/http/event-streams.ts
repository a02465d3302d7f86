// Streams of server-sent events (HTML, section 9.2), which end when their reader leaves, and before the console stops.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { EventStream } from '@rookery/contract/implement.ts'

export type SendEventStream = (reply: FastifyReply, stream: EventStream) => FastifyReply

export function eventStreamSender(server: FastifyInstance): SendEventStream {
  const open = new Set<() => void>()
  server.addHook('preClose', (done) => {
    for (const leave of open) leave()
    done()
  })
  return (reply, { pieces, leave }) => {
    open.add(leave)
    reply.raw.once('close', () => {
      open.delete(leave)
      leave()
    })
    return reply
      .headers({
        'Content-Type': 'text/event-stream',
        // Proxies of nginx's kind must not hold it back.
        'X-Accel-Buffering': 'no',
        // Its end is the end of the connection, so that a console that stops does not wait for the next request.
        Connection: 'close',
      })
      .send(Readable.from(pieces, { objectMode: false }))
  }
}
