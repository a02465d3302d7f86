// Polls by `incidents_since`, the way integrations follow a console: with ten new incidents each time, and with none.
import { atLeast, atMost, exactly, type Case } from '../case.ts'
import { ADMIN } from '../lib/console.ts'
import { getRequest, openLoader, type Load, type Loader } from '../lib/load.ts'
import { median } from '../lib/rounds.ts'
import { scaleNote, sized } from '../lib/scale.ts'
import { onSeeded, onSeededSqlite, type SeededScene } from '../lib/seeded-scene.ts'

const CONNECTIONS = 16
const ROUNDS = 3
const NEW = 10

interface Figures {
  readonly withNew: Load
  readonly withNone: Load
  readonly byKey: Load
  readonly byHash: Load
  readonly wrong: number
}

const polls: Case = {
  id: 'B11',
  title: 'poll incidents_since and look incidents up, 1 and 10 million incidents, 16 connections',
  async run() {
    const small = sized(1_000_000, 20_000)
    const large = sized(10_000_000, 40_000)
    const loader = openLoader()
    try {
      const both = await onSeeded(small, async (ours, theirs) => ({
        sqlite: await measure(ours, loader),
        postgres: await measure(theirs, loader),
      }))
      const big = await onSeededSqlite(large, (scene) => measure(scene, loader))
      const { sqlite, postgres } = both
      const wrong = exactly('answers that were wrong', sqlite.wrong + postgres.wrong + big.wrong, '', 0)
      const grown = (of: (figures: Figures) => Load): number => of(big).p99 / of(sqlite).p99
      return {
        ok: wrong.isKept,
        rows: [
          atLeast('polls with 10 new', sqlite.withNew.perSecond, '/s', 4_500),
          atLeast('polls with none', sqlite.withNone.perSecond, '/s', 15_000),
          atMost(
            'p99 with 10 new at 10 M, of 1 M',
            grown((it) => it.withNew),
            '×',
            1.3,
          ),
          atMost(
            'p99 with none at 10 M, of 1 M',
            grown((it) => it.withNone),
            '×',
            1.3,
          ),
          atMost(
            'p99 of a look-up by key at 10 M, of 1 M',
            grown((it) => it.byKey),
            '×',
            1.3,
          ),
          atMost(
            'p99 of a look-up by hash id at 10 M, of 1 M',
            grown((it) => it.byHash),
            '×',
            1.3,
          ),
          atLeast(
            'polls with 10 new on PostgreSQL, of the rate on SQLite',
            (100 * postgres.withNew.perSecond) / sqlite.withNew.perSecond,
            '%',
            40,
          ),
          atLeast(
            'polls with none on PostgreSQL, of the rate on SQLite',
            (100 * postgres.withNone.perSecond) / sqlite.withNone.perSecond,
            '%',
            40,
          ),
          atLeast(
            'look-ups on PostgreSQL, of the rate on SQLite',
            (100 * postgres.byKey.perSecond) / sqlite.byKey.perSecond,
            '%',
            40,
          ),
          wrong,
        ],
        note:
          `sizes ${small} and ${large}; look-ups ${Math.round(sqlite.byKey.perSecond)}/s, p99 ${sqlite.byKey.p99.toFixed(2)} ms; ` +
          `at ${large}: ${Math.round(big.withNew.perSecond)}, ${Math.round(big.withNone.perSecond)}, ${Math.round(big.byKey.perSecond)}/s${scaleNote}`,
      }
    } finally {
      loader.stop()
    }
  },
}
export default polls

async function measure({ console, seeded }: SeededScene, loader: Loader): Promise<Figures> {
  const last = seeded.incidents
  const poll = (since: number) => `/incidents/all?incidents_since=${since}`
  let wrong = 0
  const shown = async (since: number): Promise<number> =>
    ((await console.get('/incidents/all', { incidents_since: since })).json['incidents'] as unknown[]).length
  wrong += Math.abs((await shown(last - NEW)) - NEW) + (await shown(last))
  const ask = async (paths: readonly string[]): Promise<Load> => {
    const requests = paths.map((path) => getRequest(`/api/v1${path}`, { 'X-Auth-Token': ADMIN }))
    const job = { host: '127.0.0.1', port: console.port, connections: CONNECTIONS, requests }
    await loader.run({ ...job, ms: sized(1_000, 300) })
    const loads: Load[] = []
    for (let round = 0; round < ROUNDS; round++)
      loads.push(await loader.run({ ...job, ms: sized(3_000, 500) }))
    wrong += loads.reduce((sum, load) => sum + load.refused + load.broken, 0)
    const middle = (of: (load: Load) => number): number => median(loads.map(of))
    return {
      ...(loads[0] as Load),
      perSecond: middle((it) => it.perSecond),
      p50: middle((it) => it.p50),
      p99: middle((it) => it.p99),
    }
  }
  const byKey = seeded.keys.map((key) => `/incident/fetch?incident=${encodeURIComponent(key)}`)
  const byHash = seeded.hashIds.map((hash) => `/incident/fetch?hash_id=${hash}`)
  return {
    withNew: await ask([poll(last - NEW)]),
    withNone: await ask([poll(last)]),
    byKey: await ask(byKey),
    byHash: await ask(byHash),
    wrong,
  }
}
