// The archive of an update for the Bird that it was offered to: GET and HEAD of /update/<signed link>, with Range (RFC 9110, section 14).
import type { FastifyInstance } from 'fastify'
import { Fault, required } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import { pieces } from '../../flows/files/stored-files.ts'
import { jobOfLink } from '../../flows/releases/update-link.ts'
import { FROM_CONSOLE } from '../../stores/transfers/store.ts'
import { sendJson } from '../../http/json.ts'
import { yieldingStream } from '../../http/text-stream.ts'
import { findRelease } from '../../stores/releases/store.ts'
import { findTransfer } from '../../stores/transfers/store.ts'

/** A Bird that takes nothing for this time is disconnected; it goes on with the next byte. */
const STALLED_MS = 60_000
const GONE = 'This update has ended.'

export function serveUpdates(
  server: FastifyInstance,
  { reader, vault, world }: Pick<AppContext, 'reader' | 'vault' | 'world'>,
): void {
  server.route<{ Params: { readonly link: string } }>({
    method: ['GET', 'HEAD'],
    url: '/update/:link',
    async handler(request, reply) {
      const job = required(
        await findTransfer(reader, jobOfLink(vault, world.clock.now(), request.params.link)),
        GONE,
      )
      if (job.ended_at !== null || job.source !== FROM_CONSOLE) throw new Fault('not-found', GONE)
      const { file_id, sha256, size } = required(await findRelease(reader, job.update_tag), GONE)
      const range = rangeOf(request.headers.range, size)
      if (!range) {
        const message = `The range ${request.headers.range} is not within the ${size} bytes of the archive.`
        reply.code(416).header('Content-Range', `bytes */${size}`)
        return sendJson(reply, { result: 'error', message, error: 'bad-input' })
      }
      const { first, end } = range
      reply.header('Accept-Ranges', 'bytes').header('Content-Type', 'application/zstd')
      reply.header('Content-Length', end - first).header('Cache-Control', 'no-store')
      if (range.isPart) reply.code(206).header('Content-Range', `bytes ${first}-${end - 1}/${size}`)
      if (request.method === 'HEAD') return reply.send()
      reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
      return reply.send(yieldingStream(pieces(reader, { fileId: file_id, sha256, size }, first, end)))
    },
  })
}

/** One range; more of them, and other units, are no range: the whole file is the answer. Undefined when none of its bytes are there. */
function rangeOf(header: string | undefined, size: number) {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return { first: 0, end: size, isPart: false }
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1)
  return first < end ? { first, end, isPart: true } : undefined
}
