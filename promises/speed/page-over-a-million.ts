// The page over very many incidents: a list that stays quick wherever one looks, undo of many, an inbox left open, and streams next to token hits.
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { atLeast, atMost, exactly, percentile, type Case, type Row } from '../rig/case.ts'
import { measureHeap } from './lib/page-heap.ts'
import { measureLists } from './lib/page-lists.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { residentMb } from '../rig/process.ts'
import { median } from '../rig/load/rounds.ts'
import { ADMIN, UNMETERED, type Params, type RunningConsole } from '../rig/scenes/console.ts'
import { onHits } from '../rig/scenes/hits.ts'
import { onSeededSqlite } from '../rig/scenes/seeded-scene.ts'

const INCIDENTS = sized(1_000_000, 20_000)
const UNDONE = INCIDENTS / 10
const CALLS = sized(600, 100)
const COUNTS = 5
const STREAMS = 200
const TOKENS = 2_000
const ROUNDS = 3

const page: Case = {
  id: 'B16',
  title: 'the page over 1 million incidents: rows, undo of 100,000, 200 streams next to token hits',
  async run() {
    const stored = await onSeededSqlite(INCIDENTS, async ({ console, seeded }) => {
      const { rows, byFilter } = await listed(console, seeded.flockIds)
      return { rows: [...rows, ...(await counted(console))], byFilter, ...(await undone(console)) }
    })
    const lists = await measureLists()
    const heap = await measureHeap()
    const streams = await withStreams()
    return {
      ok: stored.wrong.isKept && streams.ok,
      rows: [...stored.rows, stored.undo, stored.wrong, ...lists.rows, ...heap.rows, ...streams.rows],
      note: `${INCIDENTS} incidents, ${stored.changed} of them acknowledged and undone; ${CALLS} pages of 100, p50 and slowest by filter: ${stored.byFilter}; ${lists.note}; ${heap.note}; ${STREAMS} streams${scaleNote}`,
    }
  },
}
export default page

/** Pages of 100 as people ask for them: the first, those behind it, and with each kind of filter. */
async function listed(console: RunningConsole, flockIds: readonly string[]) {
  const filters: Params[] = [
    {},
    { state: 'all' },
    { level: 'used,tried' },
    { flock_id: flockIds[0] ?? '' },
    { source: '10.0.0.0/16', state: 'all' },
  ]
  const times: number[][] = filters.map(() => [])
  const cursors: (string | null | undefined)[] = filters.map(() => undefined)
  for (let nth = 0; nth < CALLS; nth++) {
    const which = nth % filters.length
    const cursor = cursors[which]
    const startedAt = performance.now()
    const { status, json } = await console.get('/incidents/rows', {
      ...filters[which],
      limit: 100,
      ...(cursor && { cursor }),
    })
    times[which]?.push(performance.now() - startedAt)
    if (status !== 200) throw new Error(`incidents/rows answered ${status}: ${JSON.stringify(json)}`)
    cursors[which] = (json['cursor'] as { next: string | null }).next
  }
  const said = filters.map((filter, at) => {
    const [p50, slowest] = [0.5, 1].map((share) => percentile(times[at] ?? [], share).toFixed(0))
    return `${Object.keys(filter).join('+') || 'open'} ${p50} and ${slowest} ms`
  })
  return {
    rows: [
      atMost('rows, p50', percentile(times.flat(), 0.5), 'ms', 50),
      atMost('rows, p99', percentile(times.flat(), 0.99), 'ms', 50),
    ],
    byFilter: said.join(', '),
  }
}

/** All that is stored, counted as the plot of the overview and a report ask for it. */
async function counted(console: RunningConsole): Promise<Row[]> {
  const since = { newer_than: '2020-01-01-00:00:00' }
  const p50 = async (path: string, params: Params): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < COUNTS; round++) {
      const startedAt = performance.now()
      const { status, json } = await console.get(path, params)
      times.push(performance.now() - startedAt)
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`)
    }
    return percentile(times, 0.5)
  }
  return [
    atMost('incidents over time', await p50('/incidents/timeline', { state: 'all', ...since }), 'ms', 1_500),
    atMost('report', await p50('/incidents/report', since), 'ms', 5_000),
  ]
}

/** Acknowledges a tenth and undoes it; of the newest fifth every second one is open. */
async function undone(console: RunningConsole) {
  const since = new Date(Date.now() - 2 * UNDONE * 1_000).toISOString().slice(0, 19).replace('T', '-')
  const open = async (): Promise<number> =>
    Number((await console.get('/incidents/rows', { limit: 1 })).json['total'])
  const before = await open()
  const { json } = await console.post('/incidents/acknowledge', {
    older_than: '0h',
    newer_than: since,
    keys: false,
  })
  const changed = Number(json['count'])
  const startedAt = performance.now()
  const { json: answer } = await console.post('/incidents/undo', { batch_id: String(json['batch_id']) })
  const ms = performance.now() - startedAt
  const wrong = Math.abs((await open()) - before) + Math.abs(Number(answer['restored']) - changed)
  return {
    changed,
    undo: atMost('undo of 100,000', (ms / changed) * 100, 's', 5),
    wrong: exactly('incidents that are not as before', changed === 0 ? 1 : wrong, '', 0),
  }
}

async function withStreams(): Promise<{ readonly ok: boolean; readonly rows: Row[] }> {
  return onHits(
    TOKENS,
    async (scene) => {
      await scene.hit({ ms: sized(3_000, 500) })
      const [alone, meanwhile]: [number[], number[]] = [[], []]
      let megabytes = 0
      for (let round = 0; round < ROUNDS; round++) {
        alone.push((await scene.hit({ ms: sized(4_000, 500) })).perSecond)
        const before = residentMb(scene.console.pid)
        const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(scene.console)))
        megabytes = Math.max(megabytes, residentMb(scene.console.pid) - before)
        meanwhile.push((await scene.hit({ ms: sized(4_000, 500) })).perSecond)
        for (const stream of streams) stream.destroy()
      }
      const stored = exactly('events stored less hits answered', scene.stored() - scene.answered(), '', 0)
      const share = (100 * median(meanwhile)) / median(alone)
      return {
        ok: stored.isKept && scene.refused() === 0,
        rows: [
          atLeast('hits next to the streams', share, '%', 90, 100),
          atMost('memory of the streams', megabytes, 'MB', 64),
          stored,
        ],
      }
    },
    { env: UNMETERED },
  )
}

/** A stream that has said its first word, and is read from then on. */
async function openStream({ port }: RunningConsole): Promise<ClientRequest> {
  const stream = get({ host: '127.0.0.1', port, path: '/api/v1/live', headers: { 'X-Auth-Token': ADMIN } })
  const [response] = (await once(stream, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`live answered ${response.statusCode}.`)
  response.on('error', () => undefined)
  stream.on('error', () => undefined)
  await once(response, 'data')
  response.resume()
  return stream
}
