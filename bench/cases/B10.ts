// Lists at a million incidents and at ten, and the price of a page deep inside.
import { atLeast, atMost, exactly, type Case } from '../case.ts'
import { ADMIN, type RunningConsole } from '../lib/console.ts'
import { getRequest, openLoader, type Load, type Loader } from '../lib/load.ts'
import { startPeer } from '../lib/peer.ts'
import { peakMb } from '../lib/process.ts'
import { median } from '../lib/rounds.ts'
import { scaleNote, sized } from '../lib/scale.ts'
import { onSeeded, onSeededSqlite, type SeededScene } from '../lib/seeded-scene.ts'

const CONNECTIONS = 16
/** Short ones that alternate: what disturbs the machine disturbs a page and its peer alike. */
const ROUNDS = 9
const PAGE = 50
const PATH = '/incidents/unacknowledged'
/** Pages read one after the other to look for gaps and repetitions; then the list is entered anew, deep inside. */
const WALKED = 400

interface Figures {
  readonly first: Load
  readonly deep: Load
  /** Rate deep inside, of the first page's; the median of the rounds. */
  readonly deepShare: number
  readonly sketch: number
  readonly peak: number
  readonly wrong: number
}

const lists: Case = {
  id: 'B10',
  title: 'list 50 unacknowledged incidents of a Flock, 1 and 10 million incidents, 16 connections',
  async run() {
    const small = sized(1_000_000, 40_000)
    const large = sized(10_000_000, 80_000)
    const loader = openLoader()
    try {
      const { sqlite, postgres } = await onSeeded(small, async (ours, theirs) => ({
        sqlite: await measure(ours, loader),
        postgres: await measure(theirs, loader),
      }))
      const big = await onSeededSqlite(large, (scene) => measure(scene, loader))
      const seen = exactly(
        'incidents missed, repeated or refused',
        sqlite.wrong + postgres.wrong + big.wrong,
        '',
        0,
      )
      return {
        ok: seen.isKept,
        rows: [
          atLeast('first pages', sqlite.first.perSecond, '/s', 1_500, sqlite.sketch),
          atMost('p99 of the first page', sqlite.first.p99, 'ms', 50),
          atMost('p99 of the first page at 10 M, of 1 M', big.first.p99 / sqlite.first.p99, '×', 1.3),
          atMost('p99 of a deep page at 10 M, of 1 M', big.deep.p99 / sqlite.deep.p99, '×', 1.3),
          atLeast('share of the first page, deep inside', 100 * sqlite.deepShare, '%', 90),
          atLeast('the same at 10 M', 100 * big.deepShare, '%', 90),
          atLeast(
            'on PostgreSQL, of the rate on SQLite',
            (100 * postgres.first.perSecond) / sqlite.first.perSecond,
            '%',
            40,
          ),
          atMost('peak memory', Math.max(sqlite.peak, big.peak), 'MB', 400),
          seen,
        ],
        note: `sizes ${small} and ${large}; at ${large}: ${Math.round(big.first.perSecond)}/s; on PostgreSQL ${Math.round(postgres.first.perSecond)}/s; beside: node:http + node:sqlite over the same table${scaleNote}`,
      }
    } finally {
      loader.stop()
    }
  },
}
export default lists

async function measure({ on, console, seeded }: SeededScene, loader: Loader): Promise<Figures> {
  const [flockId = ''] = seeded.flockIds
  const walked = await walk(console, flockId)
  const deepAt = await deepTime(on)
  const list = (port: number, query: string): Promise<Load> =>
    loader.run({
      host: '127.0.0.1',
      port,
      connections: CONNECTIONS,
      requests: [getRequest(`/api/v1${PATH}?${query}`, { 'X-Auth-Token': ADMIN })],
      ms: sized(1_000, 300),
    })
  const entered = await console.get(PATH, { flock_id: flockId, limit: PAGE, newer_than: deepAt })
  const { cursor } = entered.json as unknown as Listed
  const firstPage = `flock_id=${flockId}&limit=${PAGE}`
  const deepPage = `cursor=${encodeURIComponent(cursor.next ?? '')}`
  const peer = on.engine === 'sqlite' ? await startPeer('sketch-lists', on.folder, flockId) : undefined
  try {
    await list(console.port, firstPage)
    const rounds: { first: Load; deep: Load; sketch: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        first: await list(console.port, firstPage),
        deep: await list(console.port, deepPage),
        sketch: peer ? (await list(peer.port, '')).perSecond : Number.NaN,
      })
    }
    const middle = (of: (round: (typeof rounds)[number]) => Load): Load => {
      const loads = rounds.map(of)
      const [load] = loads
      return {
        ...(load as Load),
        perSecond: median(loads.map((it) => it.perSecond)),
        p99: median(loads.map((it) => it.p99)),
      }
    }
    const refused = rounds
      .flatMap(({ first, deep }) => [first, deep])
      .reduce((n, it) => n + it.refused + it.broken, 0)
    return {
      first: middle((it) => it.first),
      deep: middle((it) => it.deep),
      deepShare: median(rounds.map(({ first, deep }) => deep.perSecond / first.perSecond)),
      sketch: median(rounds.map((it) => it.sketch)),
      peak: peakMb(console.pid),
      wrong: walked + refused + (cursor.next === null ? 1 : 0),
    }
  } finally {
    await peer?.stop()
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
