// Lists at a million incidents and at ten, and the price of a page deep inside.
import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { ADMIN, type RunningConsole } from '../rig/scenes/console.ts'
import { getRequest, openLoader, type Loader } from '../rig/load/load.ts'
import { startSketch } from '../rig/sketches/start-sketch.ts'
import { peakMb } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { onSeeded, onSeededSqlite, type SeededScene } from '../rig/scenes/seeded-scene.ts'
import { ROUND_MS, sideBySide, type Ask, type SideBySide } from '../rig/load/side-by-side.ts'

const CONNECTIONS = 16
const PAGE = 50
const PATH = '/incidents/unacknowledged'
/** Pages read one after the other to look for gaps and repetitions; then the list is entered anew, deep inside. */
const WALKED = 400

interface Lists {
  readonly first: Ask
  readonly deep: Ask
  /** Any other list, at any port. */
  asking(port: number, query: string): Ask
  /** Incidents missed or repeated, and lists refused, so far. */
  wrong(): number
}

const lists: Case = {
  id: 'B10',
  title: 'list 50 unacknowledged incidents of a Flock, 1 and 10 million incidents, 16 connections',
  async run() {
    const small = sized(1_000_000, 40_000)
    const large = sized(10_000_000, 80_000)
    const loader = openLoader()
    try {
      return await onSeeded(small, async (ours, theirs) => {
        const sqlite = await listsOf(ours, loader)
        const postgres = await listsOf(theirs, loader)
        const depth = await sideBySide(sqlite.first, sqlite.deep)
        const sketch = await alternateWithSketch(ours, sqlite)
        const engines = await sideBySide(sqlite.first, postgres.first)
        const big = await onSeededSqlite(large, async (scene) => {
          const grown = await listsOf(scene, loader)
          return {
            first: await sideBySide(sqlite.first, grown.first),
            deep: await sideBySide(sqlite.deep, grown.deep),
            depth: await sideBySide(grown.first, grown.deep),
            wrong: grown.wrong(),
            peak: peakMb(scene.console.pid),
          }
        })
        const wrong = sqlite.wrong() + postgres.wrong() + big.wrong
        const seen = exactly('incidents missed, repeated or refused', wrong, '', 0)
        return {
          ok: seen.isKept,
          rows: [
            atLeast('first pages', depth.ours.perSecond, '/s', 1_500, sketch.theirs.perSecond),
            atMost('p99 of the first page', depth.ours.p99, 'ms', 50),
            atMost('p99 of the first page at 10 M, of 1 M', big.first.p99, '×', 1.3),
            atMost('p99 of a deep page at 10 M, of 1 M', big.deep.p99, '×', 1.3),
            atLeast('share of the first page, deep inside', 100 * depth.rate, '%', 90),
            atLeast('the same at 10 M', 100 * big.depth.rate, '%', 90),
            atLeast('on PostgreSQL, of the rate on SQLite', 100 * engines.rate, '%', 40),
            atMost('peak memory', Math.max(peakMb(ours.console.pid), big.peak), 'MB', 400),
            seen,
          ],
          note: `sizes ${small} and ${large}; at ${large}: ${Math.round(big.first.theirs.perSecond)}/s; on PostgreSQL ${Math.round(engines.theirs.perSecond)}/s; compared with node:http + node:sqlite over the same table${scaleNote}`,
        }
      })
    } finally {
      loader.stop()
    }
  },
}
export default lists

async function listsOf({ on, console, seeded }: SeededScene, loader: Loader): Promise<Lists> {
  const [flockId = ''] = seeded.flockIds
  let wrong = await walk(console, flockId)
  const asking =
    (port: number, query: string): Ask =>
    async () => {
      const load = await loader.run({
        host: '127.0.0.1',
        port,
        connections: CONNECTIONS,
        requests: [getRequest(`/api/v1${PATH}?${query}`, { 'X-Auth-Token': ADMIN })],
        ms: ROUND_MS,
      })
      wrong += load.refused + load.broken
      return load
    }
  const entered = await console.get(PATH, { flock_id: flockId, limit: PAGE, newer_than: await deepTime(on) })
  const { cursor } = entered.json as unknown as Listed
  if (cursor.next === null) wrong++
  return {
    first: asking(console.port, `flock_id=${flockId}&limit=${PAGE}`),
    deep: asking(console.port, `cursor=${encodeURIComponent(cursor.next ?? '')}`),
    asking,
    wrong: () => wrong,
  }
}

/** The bare sketch over the same table. */
async function alternateWithSketch(
  { on, seeded }: SeededScene,
  { first, asking }: Lists,
): Promise<SideBySide> {
  const peer = await startSketch('lists', on.folder, seeded.flockIds[0] ?? '')
  try {
    return await sideBySide(first, asking(peer.port, ''))
  } finally {
    await peer.stop()
  }
}

/** When the incident three quarters of the way was created, as lists are asked for it. */
async function deepTime(on: SeededScene['on']): Promise<string> {
  const { at } = await on.row<{ at: number | string }>(
    'SELECT created_at AS at FROM incident WHERE incident_id = (SELECT max(incident_id) * 3 / 4 FROM incident)',
  )
  return new Date(Number(at)).toISOString().slice(0, 19).replace('T', '-')
}

interface Listed {
  readonly incidents: readonly { readonly id: string; readonly description: { readonly created: string } }[]
  readonly cursor: { readonly next: string | null }
}

/** Reads pages one after the other; answers how many incidents came twice, out of order, or not at all. */
async function walk(console: RunningConsole, flockId: string): Promise<number> {
  const seen = new Set<string>()
  let wrong = 0
  let last = 0
  let next: string | null | undefined
  for (let pages = 0; pages < WALKED && next !== null; pages++) {
    const params = next === undefined ? { flock_id: flockId, limit: PAGE } : { cursor: next }
    const { status, text, json } = await console.get(PATH, params)
    if (status !== 200) throw new Error(`A list was refused: ${status} ${text}`)
    const { incidents, cursor } = json as unknown as Listed
    if (cursor.next !== null && incidents.length !== PAGE) wrong++
    for (const { id, description } of incidents) {
      const created = Number(description.created)
      // Every second incident of a Flock is unacknowledged: its times tell of a gap.
      if (seen.has(id) || created < last || (last > 0 && created - last > 20)) wrong++
      seen.add(id)
      last = created
    }
    next = cursor.next
  }
  return wrong
}
