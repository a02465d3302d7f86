// Puts load on an HTTP server at the least cost: raw sockets, requests built beforehand, one in flight on each connection.
// A process of its own, so that it shares no event loop with the process that measures.
import { connect, type Socket } from 'node:net'
import { responseReader } from './response.ts'
import { sourceText, SOURCE_BYTES } from './sources.ts'
import { loadOf, SOURCE_MARK, type Job, type Load } from './load.ts'
import { serveJobs } from './serve-jobs.ts'
import { stayAwake } from './stay-awake.ts'

interface Prepared {
  readonly bytes: Buffer
  /** The offset of the source's address; -1 when the request names none. */
  readonly sourceAt: number
}

async function run(job: Job): Promise<Load> {
  const prepared = job.requests.map((text): Prepared => {
    const sourceAt = text.indexOf(SOURCE_MARK)
    return { bytes: Buffer.from(text.replace(SOURCE_MARK, sourceText(0)), 'latin1'), sourceAt }
  })
  let source = job.firstSource ?? 0
  const answered: number[] = []
  const answeredLate: number[] = []
  const { lateMs = Number.POSITIVE_INFINITY } = job
  const latencies: number[] = []
  let left = job.count ?? Number.POSITIVE_INFINITY
  let bytes = 0
  let refused = 0
  let broken = 0
  const startedAt = performance.now()
  const endAt = startedAt + (job.ms ?? Number.POSITIVE_INFINITY)
  let lastAt = startedAt

  const one = (lane: number): Promise<void> =>
    new Promise((resolve) => {
      // Each connection has requests of its own: their buffers are patched while no other is writing them.
      const own = prepared
        .filter((_, at) => at % job.connections === lane % prepared.length)
        .map((it) => ({ ...it, bytes: Buffer.from(it.bytes) }))
      let turn = 0
      let current = -1
      let sentAt = 0
      const isOver = (): boolean => own.length === 0 || left <= 0 || performance.now() >= endAt
      const open = (): void => {
        // A server such as Apache answers so many requests on a connection, says so, and closes.
        let isLast = false
        const socket: Socket = connect({ host: job.host, port: job.port, noDelay: true })
        const next = (): void => {
          const request = own[turn % own.length]
          if (!request || isLast || isOver()) return void socket.end()
          turn++
          left--
          if (request.sourceAt >= 0) {
            current = source++
            request.bytes.write(sourceText(current), request.sourceAt, SOURCE_BYTES, 'latin1')
          }
          sentAt = performance.now()
          socket.write(request.bytes)
        }
        const read = responseReader((status, length, closes) => {
          lastAt = performance.now()
          latencies.push(lastAt - sentAt)
          bytes += length
          isLast = closes
          if (status < 200 || status > 299) refused++
          else if (job.tellSources && current >= 0)
            (lastAt - sentAt > lateMs ? answeredLate : answered).push(current)
          next()
        })
        socket.on('connect', next)
        socket.on('data', (chunk) => read(chunk))
        socket.on('error', () => {
          if (!isLast) broken++
        })
        socket.on('close', () => (isLast && !isOver() ? open() : resolve()))
      }
      open()
    })
  const maySleep = job.staysAwake === true ? stayAwake() : () => undefined
  await Promise.all(Array.from({ length: job.connections }, (_, lane) => one(lane)))
  maySleep()
  const figures = loadOf(latencies, { forMs: lastAt - startedAt, bytes, broken })
  return { ...figures, refused, nextSource: source, answered, answeredLate }
}

serveJobs(run)
