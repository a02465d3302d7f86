// All Birds of a large fleet in one answer.
import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { ADMIN } from '../rig/scenes/console.ts'
import { onBothEngines, type OnEngine } from '../rig/scenes/engines.ts'
import { seedBirds } from '../rig/scenes/many-birds.ts'
import { getRequest, openLoader, type Load, type Loader } from '../rig/load/load.ts'
import { startSketch } from '../rig/sketches/start-sketch.ts'
import { peakMb } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { alternate, median } from '../rig/load/rounds.ts'

const BIRDS = 10_000
const ASKED = 60
const ROUNDS = 5

const fleet: Case = {
  id: 'B15',
  title: 'GET /devices/all with 10,000 Birds',
  async run() {
    const birds = sized(BIRDS, 1_000)
    const loader = openLoader()
    try {
      const { ours, theirs } = await onBothEngines(async (sqlite, postgres) => ({
        ours: await measure(sqlite, birds, loader, sketchOfSketch),
        theirs: await measure(postgres, birds, loader, () => Promise.resolve(undefined)),
      }))
      const wrong = exactly('Birds missed or repeated, answers refused', ours.wrong + theirs.wrong, '', 0)
      return {
        ok: wrong.isKept,
        rows: [
          atMost('p99', ours.load.p99, 'ms', 150, ours.sketch.p99),
          atMost('p50, of the bare sketch', ours.sketch.ratio, '×', 1),
          atLeast('on PostgreSQL, of the rate on SQLite', (100 * ours.load.p50) / theirs.load.p50, '%', 40),
          atMost('peak memory', ours.peak, 'MB', 400),
          wrong,
        ],
        note: `${birds} Birds, ${Math.round(ours.load.bytes / ASKED / 1024)} KB an answer, p50 ${ours.load.p50.toFixed(1)} ms; on PostgreSQL p50 ${theirs.load.p50.toFixed(1)}, p99 ${theirs.load.p99.toFixed(1)} ms; reference: node:http + node:sqlite, all rows as they are${scaleNote}`,
      }
    } finally {
      loader.stop()
    }
  },
}
export default fleet

/** Asks for all Birds so many times. */
type LoadRun = (count: number, port?: number) => Promise<Load>

async function measure<Sketch>(
  on: OnEngine,
  birds: number,
  loader: Loader,
  sketchOf: (on: OnEngine, ask: LoadRun) => Promise<Sketch>,
): Promise<{ load: Load; sketch: Sketch; peak: number; wrong: number }> {
  await (await on.start()).stop()
  await seedBirds(on, birds)
  const console = await on.start()
  const { json } = await console.get('/devices/all')
  const ids = new Set((json['devices'] as { id: string }[]).map(({ id }) => id))
  const requests = [getRequest('/api/v1/devices/all', { 'X-Auth-Token': ADMIN })]
  const ask: LoadRun = (count, port = console.port) =>
    loader.run({ host: '127.0.0.1', port, connections: 1, requests, count })
  await ask(10)
  const load = await ask(ASKED)
  const sketch = await sketchOf(on, ask)
  const wrong = Math.abs(ids.size - birds) + load.refused + load.broken
  return { load, sketch, peak: peakMb(console.pid), wrong }
}

/** The bare sketch over the same table: its p99, and our p50 as a part of its own, both the middle of the rounds. */
async function sketchOfSketch(on: OnEngine, ask: LoadRun): Promise<{ p99: number; ratio: number }> {
  const peer = await startSketch('birds', on.folder)
  try {
    const { ours, theirs } = await alternate(
      ROUNDS,
      () => ask(ASKED / ROUNDS),
      () => ask(ASKED / ROUNDS, peer.port),
    )
    return {
      p99: median(theirs.map((it) => it.p99)),
      ratio: median(ours.map((it, at) => it.p50 / (theirs[at]?.p50 ?? Number.NaN))),
    }
  } finally {
    await peer.stop()
  }
}
