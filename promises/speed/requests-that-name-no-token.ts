// Internet noise at the token host: answered, and nothing else.
import { atLeast, atMost, exactly, type Case, type Result } from '../rig/case.ts'
import { againstCommitBefore } from './lib/commit-before.ts'
import { onBothEngines, type OnEngine } from '../rig/scenes/engines.ts'
import type { HitScene } from '../rig/scenes/hits.ts'
import { openLoader, type Load, type Loader } from '../rig/load/load.ts'
import { noiseRequests } from '../rig/load/noise.ts'
import { startSketch } from '../rig/sketches/start-sketch.ts'
import { peakMb, writtenBytes } from '../rig/process.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const CONNECTIONS = 32
// Short, for a flood does not rest: V8's memory saver begins after five seconds of it (docs/decisions/0027).
const ROUNDS = 12
const ROUND_MS = 1_000
// Five seconds after its start a console that has grown loads `koffi` (freed-memory.ts). In a fresh clone these files are read for
// the first time, and the kernel counts the time of that access as bytes that the reader has written.
const WARM_ROUNDS = 4

const misses: Case = {
  id: 'B3',
  title: 'HTTP requests at the token host that name no token, 32 connections',
  run: async () => {
    const result = await measure()
    const ask = ({ loader, console }: HitScene): Promise<Load> => sendNoise(loader, console.tokensPort)
    const before = await againstCommitBefore('misses', { tokens: 1, prepare: ask, ask })
    return { ...result, rows: [...result.rows, ...before] }
  },
}
export default misses

/** One round. */
const sendNoise = (loader: Loader, port: number): Promise<Load> =>
  loader.run({
    host: '127.0.0.1',
    port,
    connections: CONNECTIONS,
    requests: noiseRequests(),
    ms: sized(ROUND_MS, 300),
    staysAwake: true,
  })

const measure = (): Promise<Result> =>
  onBothEngines(async (sqlite, postgres) => {
    const loader = openLoader()
    const peer = await startSketch('blank')
    try {
      const [ours, theirs] = [await sqlite.start(), await postgres.start()]
      const ask = (port: number): Promise<Load> => sendNoise(loader, port)
      for (let warmed = 0; warmed < WARM_ROUNDS; warmed++)
        for (const port of [ours.tokensPort, theirs.tokensPort, peer.port]) await ask(port)

      const bytesWritten = () => writtenBytes(ours.pid) + writtenBytes(theirs.pid)
      const before = { transaction: await nextTransaction(postgres), bytes: bytesWritten() }
      const rates: { sqlite: number; postgres: number; sketch: number }[] = []
      let refused = 0
      let answered = 0
      for (let round = 0; round < ROUNDS; round++) {
        const [a, b, c] = [await ask(ours.tokensPort), await ask(theirs.tokensPort), await ask(peer.port)]
        rates.push({ sqlite: a.perSecond, postgres: b.perSecond, sketch: c.perSecond })
        refused += a.refused + a.broken + b.refused + b.broken
        answered += a.hits + b.hits
      }
      const rate = median(rates.map((it) => it.sqlite))
      const onPostgres = median(rates.map((it) => it.postgres))
      const sketch = median(rates.map((it) => it.sketch))
      const written = exactly('bytes written to the disk', bytesWritten() - before.bytes, '', 0)
      const rows = exactly('rows written (PostgreSQL)', await rowsSince(postgres, before.transaction), '', 0)
      const { n } = await sqlite.row<{ n: number }>('SELECT count(*) AS n FROM incident')
      return {
        ok: written.isKept && rows.isKept && refused === 0 && n === 0,
        rows: [
          atLeast('misses', rate, '/s', 20_000, sketch),
          atLeast('share of the bare sketch', (100 * rate) / sketch, '%', 50),
          atLeast('on PostgreSQL, of the rate on SQLite', (100 * onPostgres) / rate, '%', 40),
          atMost('peak memory', peakMb(ours.pid), 'MB', 400),
          written,
          rows,
          exactly('requests refused', refused, '', 0),
        ],
        note: `${answered} answers; on PostgreSQL ${Math.round(onPostgres)}/s; reference: node:http with a constant answer${scaleNote}`,
      }
    } finally {
      loader.stop()
      await peer.stop()
    }
  })

/** The number that the next writing transaction will take. */
async function nextTransaction({ row }: OnEngine): Promise<number> {
  const { n } = await row<{ n: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS n')
  return Number(n)
}

/** Rows of any table that a transaction from this one on has written, but for those that a console writes to go on serving. */
async function rowsSince({ row, rows }: OnEngine, transaction: number): Promise<number> {
  const tables = await rows<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('lease', 'last_commit')",
  )
  const counts = tables.map(
    ({ name }) => `(SELECT count(*) FROM ${name} WHERE xmin::text::bigint >= ${transaction})`,
  )
  const { n } = await row<{ n: string }>(`SELECT (${counts.join(' + ')})::text AS n`)
  return Number(n)
}
