// A request must be whole in time. Node's own time is the whole server's; uploads to Birds may be slower, and watch their bytes.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '@rookery/kernel/world.ts'

const WHOLE_MS = 60_000
/** Bodies of these addresses have a time of their own. */
const SLOW = /^\/+upload\//

/** A body that is late ends its connection as Node would end it. */
export function wholeInTime(server: FastifyInstance, clock: Pick<Clock, 'after'>): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    const hasBody = encoding !== undefined || length !== '0'
    if (hasBody && !SLOW.test(raw.url ?? '')) {
      const cancel = clock.after(WHOLE_MS, () => {
        const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        if (!raw.complete) server.server.emit('clientError', late, raw.socket)
      })
      raw.once('end', cancel).once('close', cancel)
    }
    done()
  })
}
