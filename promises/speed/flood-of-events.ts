// A flood of a Bird's events through a real link: durable, merged, counted, and not felt by people at the API.
import { atLeast, atMost, exactly, percentile, type Case } from '../rig/case.ts'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { enrolmentSecret } from '../rig/scenes/enrolment.ts'
import { flood, FLOOD_SOURCES, FLOODED_SERVICES } from '../rig/load/flood.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { forgetPeak, peakMb, residentMb } from '../rig/process.ts'
import { addReceiver, openReceiver } from '../rig/scenes/receiver.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { reading } from '../rig/scenes/stored.ts'

const EVENTS = 100_000
const INCIDENTS = FLOOD_SOURCES * FLOODED_SERVICES.length

const flooded: Case = {
  id: 'B9',
  title: 'a flood of events through a link, 5 sources × 8 logtypes, as fast as the console takes them',
  async run() {
    const folder = freshFolder()
    const receiver = await openReceiver()
    let console: RunningConsole | undefined
    try {
      console = await startConsole({
        dataDir: folder,
        // The speed of the console is measured, not the allowance of a Bird.
        env: { ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8', ROOKERY_BIRD_EVENTS_PER_SECOND: '1000000' },
      })
      const { port, pid } = console
      const enrol = await enrolmentSecret(folder)
      // Another Bird before it: code is compiled, the pool is warm.
      const warming = watch(console)
      await flood({ port, enrol, events: sized(20_000, 4_000), spoolId: 'a'.repeat(32) })
      await warming.stop()
      await addReceiver(console, receiver.url)
      const before = storedOf(folder)
      const restingMb = residentMb(pid)
      forgetPeak(pid)

      const events = Math.ceil(sized(EVENTS) / INCIDENTS) * INCIDENTS
      const watching = watch(console)
      const { upto, startedAt, seconds } = await flood({ port, enrol, events, spoolId: 'b'.repeat(32) })
      const asked = await watching.stop()
      const growthMb = peakMb(pid) - restingMb
      await receiver.until(1, 5_000)
      const stored = storedOf(folder)
      const lost = exactly('events counted less events sent', stored.events - before.events - events, '', 0)
      const uneven = exactly('incidents with a wrong count', stored.unlike(events / INCIDENTS), '', 0)
      return {
        ok: upto === events && lost.isKept && uneven.isKept && asked.refused === 0 && asked.times.length > 0,
        rows: [
          atLeast('durable events', events / seconds, '/s', 10_000),
          atMost('incidents', stored.incidents - before.incidents, '', INCIDENTS),
          lost,
          uneven,
          atMost('first alert after', (receiver.alerts[0]?.at ?? Number.NaN) - startedAt, 'ms', 1_000),
          atMost('p99 of the API meanwhile', percentile(asked.times, 0.99), 'ms', 50),
          atMost('memory gained', growthMb, 'MB', 64),
        ],
        note: `${events} events in ${seconds.toFixed(1)} s; ${asked.times.length} lists read meanwhile; memory at rest ${Math.round(restingMb)} MB${scaleNote}`,
      }
    } finally {
      receiver.stop()
      await console?.stop()
      removeFolder(folder)
    }
  },
}
export default flooded

function storedOf(folder: string) {
  const rows = reading(
    folder,
    (db) =>
      db.prepare('SELECT node_id, events_count FROM incident ORDER BY incident_id').all() as {
        node_id: string
        events_count: number
      }[],
  )
  const last = rows.at(-1)?.node_id
  return {
    incidents: rows.length,
    events: rows.reduce((sum, row) => sum + row.events_count, 0),
    /** Incidents of the newest Bird that do not count so many. */
    unlike: (count: number): number =>
      rows.filter((row) => row.node_id === last && row.events_count !== count).length,
  }
}

/** Reads a list every 20 ms until it is stopped. */
function watch(console: RunningConsole) {
  const times: number[] = []
  let refused = 0
  let isOver = false
  const going = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const { status } = await console.get('/incidents/unacknowledged', { limit: 20, event_limit: 1 })
      times.push(performance.now() - startedAt)
      if (status !== 200) refused++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    async stop() {
      isOver = true
      await going
      return { times, refused }
    },
  }
}
