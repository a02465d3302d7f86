// A Bird under attack, in a process of its own: so many events, from a few sources to a few services.
// Its parent sends { port, enrol, events, spoolId }. It answers { upto, startedAt, seconds } when all are acknowledged.
import { randomBytes } from 'node:crypto'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { FLOODED_SERVICES, FLOOD_SOURCES, type FloodJob } from './flood.ts'
import { connectLink, spooledEvent } from './link-client.ts'
import { serveJobs } from './serve-jobs.ts'

async function flood({ port, enrol, events, spoolId }: FloodJob) {
  const kinds = FLOOD_SOURCES * FLOODED_SERVICES.length
  const models = Array.from({ length: kinds }, (_, at) => {
    const [logtype, instance, dstPort] = FLOODED_SERVICES[at % FLOODED_SERVICES.length] ?? ['4002', 'ssh', 22]
    return { logtype, instance, dstPort, srcHost: `10.66.0.${1 + Math.floor(at / FLOODED_SERVICES.length)}` }
  })
  let startedAt = 0
  const client = await connectLink({
    port,
    enrol,
    spoolId,
    key: keyPair(randomBytes(32)),
    eventOf(seq) {
      startedAt ||= performance.timeOrigin + performance.now()
      return seq > events ? undefined : spooledEvent(seq, models[seq % kinds] ?? {})
    },
  })
  const upto = await client.done
  const seconds = (performance.timeOrigin + performance.now() - startedAt) / 1000
  client.close()
  return { upto, startedAt, seconds }
}

serveJobs(flood)
