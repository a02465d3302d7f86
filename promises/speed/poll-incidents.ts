// Polls by `incidents_since`, the way integrations follow a console: with ten new incidents each time, and with none.
import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { ADMIN } from '../rig/scenes/console.ts'
import { getRequest, openLoader, type Loader } from '../rig/load/load.ts'
import { startSketch } from '../rig/sketches/start-sketch.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { onSeeded, onSeededSqlite, type SeededScene } from '../rig/scenes/seeded-scene.ts'
import { ROUND_MS, sideBySide, type Ask, type SideBySide } from '../rig/load/side-by-side.ts'

const CONNECTIONS = 16
const NEW = 10

interface Questions {
  readonly withNew: Ask
  readonly withNone: Ask
  /** The same two at another port. */
  at(port: number): Readonly<Record<'withNew' | 'withNone', Ask>>
  readonly byKey: Ask
  readonly byHash: Ask
  /** Answers that were wrong or refused, so far. */
  wrong(): number
}

const polls: Case = {
  id: 'B11',
  title: 'poll incidents_since and look incidents up, 1 and 10 million incidents, 16 connections',
  async run() {
    const small = sized(1_000_000, 20_000)
    const large = sized(10_000_000, 40_000)
    const loader = openLoader()
    try {
      return await onSeeded(small, async (ours, theirs) => {
        const sqlite = await questions(ours, loader)
        const postgres = await questions(theirs, loader)
        const sketch = await alternateWithSketch(ours, sqlite)
        const engines = await compared(sqlite, postgres)
        const { grown, wrong: bigWrong } = await onSeededSqlite(large, async (scene) => {
          const big = await questions(scene, loader)
          return { grown: await compared(sqlite, big), wrong: big.wrong() }
        })
        const wrong = exactly('answers that were wrong', sqlite.wrong() + postgres.wrong() + bigWrong, '', 0)
        const rate = (what: string, { ours }: SideBySide, least: number, { theirs }: SideBySide) =>
          atLeast(what, ours.perSecond, '/s', least, theirs.perSecond)
        // How fast ours is, in rates of the sketch.
        const ofSketch = (what: string, compared: SideBySide, least: number) =>
          atLeast(`${what}, of the bare sketch`, 100 / compared.rate, '%', least)
        const growth = (what: string, { p99 }: SideBySide) =>
          atMost(`p99 of ${what} at 10 M, of 1 M`, p99, '×', 1.3)
        const share = (what: string, { rate }: SideBySide) =>
          atLeast(`${what} on PostgreSQL, of the rate on SQLite`, 100 * rate, '%', 40)
        return {
          ok: wrong.isKept,
          rows: [
            rate('polls with 10 new', engines.withNew, 4_500, sketch.withNew),
            rate('polls with none', engines.withNone, 15_000, sketch.withNone),
            ofSketch('polls with 10 new', sketch.withNew, 100),
            ofSketch('polls with none', sketch.withNone, 50),
            growth('polls with 10 new', grown.withNew),
            growth('polls with none', grown.withNone),
            growth('a look-up by key', grown.byKey),
            growth('a look-up by hash id', grown.byHash),
            share('polls with 10 new', engines.withNew),
            share('polls with none', engines.withNone),
            share('look-ups', engines.byKey),
            wrong,
          ],
          note:
            `sizes ${small} and ${large}; look-ups ${Math.round(engines.byKey.ours.perSecond)}/s, p99 ${engines.byKey.ours.p99.toFixed(2)} ms; ` +
            `reference: node:http + node:sqlite over the same tables; at ${large}: ${rates(grown.withNew, grown.withNone, grown.byKey)}; on PostgreSQL: ${rates(engines.withNew, engines.withNone, engines.byKey)}${scaleNote}`,
        }
      })
    } finally {
      loader.stop()
    }
  },
}
export default polls

const rates = (...all: readonly SideBySide[]): string =>
  `${all.map(({ theirs }) => Math.round(theirs.perSecond)).join(', ')}/s`

/** The bare sketch over the same tables. */
async function alternateWithSketch({ on }: SeededScene, { withNew, withNone, at }: Questions) {
  const peer = await startSketch('polls', on.folder)
  try {
    const theirs = at(peer.port)
    return {
      withNew: await sideBySide(withNew, theirs.withNew),
      withNone: await sideBySide(withNone, theirs.withNone),
    }
  } finally {
    await peer.stop()
  }
}

async function compared(ours: Questions, theirs: Questions) {
  return {
    withNew: await sideBySide(ours.withNew, theirs.withNew),
    withNone: await sideBySide(ours.withNone, theirs.withNone),
    byKey: await sideBySide(ours.byKey, theirs.byKey),
    byHash: await sideBySide(ours.byHash, theirs.byHash),
  }
}

async function questions({ console, seeded }: SeededScene, loader: Loader): Promise<Questions> {
  const last = seeded.incidents
  const poll = (since: number) => `/incidents/all?incidents_since=${since}`
  const shown = async (since: number): Promise<number> =>
    ((await console.get('/incidents/all', { incidents_since: since })).json['incidents'] as unknown[]).length
  let wrong = Math.abs((await shown(last - NEW)) - NEW) + (await shown(last))
  const asking = (paths: readonly string[], port = console.port): Ask => {
    const requests = paths.map((path) => getRequest(`/api/v1${path}`, { 'X-Auth-Token': ADMIN }))
    const job = { host: '127.0.0.1', port, connections: CONNECTIONS, requests, ms: ROUND_MS }
    return async () => {
      const load = await loader.run(job)
      wrong += load.refused + load.broken
      return load
    }
  }
  return {
    withNew: asking([poll(last - NEW)]),
    withNone: asking([poll(last)]),
    at: (port) => ({ withNew: asking([poll(last - NEW)], port), withNone: asking([poll(last)], port) }),
    byKey: asking(seeded.keys.map((key) => `/incident/fetch?incident=${encodeURIComponent(key)}`)),
    byHash: asking(seeded.hashIds.map((hash) => `/incident/fetch?hash_id=${hash}`)),
    wrong: () => wrong,
  }
}
