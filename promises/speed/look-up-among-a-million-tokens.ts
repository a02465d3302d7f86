// Looking a token up costs the same however many there are: a first touch of each, and ids whose tokens are gone.
import { atMost, exactly, type Case, type Row } from '../rig/case.ts'
import { onBothEngines, type OnEngine } from '../rig/scenes/engines.ts'
import { openLoader, type Load, type Loader } from '../rig/load/load.ts'
import { openLookUps, type LookUps } from '../rig/scenes/look-ups.ts'
import { peakMb } from '../rig/process.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const FEW = sized(10_000, 1_000)
const MANY = sized(1_000_000, 20_000)
const ROUNDS = 5
const VISITS = Math.floor(FEW / (ROUNDS + 1))
/** Of the latency with few. */
const MOST = 1.3
const VISITED = { hit: 'a hit', gone: 'an id without a token', miss: 'a miss' } as const

const lookUps: Case = {
  id: 'B21',
  title:
    'look-up of tokens by HTTP, one connection: 1,000,000 tokens against 10,000, first touches, ids whose tokens are gone, and noise',
  run: () =>
    onBothEngines((sqlite, postgres) =>
      onBothEngines(async (manySqlite, manyPostgres) => {
        const loader = openLoader()
        try {
          const ours = await compare(loader, sqlite, manySqlite, '')
          const theirs = await compare(loader, postgres, manyPostgres, ' on PostgreSQL')
          const rows = [...ours.rows, ...theirs.rows]
          return {
            ok: ours.ok && theirs.ok,
            rows: [...rows, atMost('peak memory', ours.peakMb, 'MB', 400)],
            note: `p50 and p99 in ms with ${FEW} and with ${MANY} tokens: ${ours.note}; on PostgreSQL ${theirs.note}; middle of ${ROUNDS} rounds of ${VISITS} that alternate${scaleNote}`,
          }
        } finally {
          loader.stop()
        }
      }),
    ),
}
export default lookUps

interface Compared {
  readonly rows: readonly Row[]
  readonly note: string
  readonly peakMb: number
  readonly ok: boolean
}

async function compare(loader: Loader, fewOn: OnEngine, manyOn: OnEngine, where: string): Promise<Compared> {
  const few = await openLookUps(fewOn, FEW, FEW)
  const many = await openLookUps(manyOn, MANY, FEW)
  const [before, beforeMany] = [await few.events(), await many.events()]
  const wrong: number[] = []
  const notes: string[] = []
  const measure = async (name: keyof typeof VISITED): Promise<readonly Row[]> => {
    const ask = (scene: LookUps) => async (): Promise<Load> => {
      const load = await scene[name](loader, VISITS)
      wrong.push(load.refused + load.broken + VISITS - load.hits)
      return load
    }
    // The first compiles, and opens what is read.
    await alternate(1, ask(few), ask(many))
    const { ours, theirs } = await alternate(ROUNDS, ask(few), ask(many))
    return (['p50', 'p99'] as const).map((of) => {
      const [a, b] = [ours.map((load) => load[of]), theirs.map((load) => load[of])]
      notes.push(`${name} ${of} ${median(a).toFixed(2)} and ${median(b).toFixed(2)}`)
      const ratio = median(b.map((value, at) => value / (a[at] ?? Number.NaN)))
      return atMost(`${of} of ${VISITED[name]}${where}, of that with 10,000`, ratio, '×', MOST)
    })
  }
  const rows = [...(await measure('hit')), ...(await measure('gone')), ...(await measure('miss'))]
  // An id of ours fires, whether its token is there or not.
  const hits = 2 * VISITS * (ROUNDS + 1)
  const stored = [(await few.events()) - before, (await many.events()) - beforeMany]
  const lost = exactly(
    `events stored less hits answered${where}`,
    stored.reduce((sum, n) => sum + Math.abs(n - hits), 0),
    '',
    0,
  )
  const peak = peakMb(many.console.pid)
  await few.console.stop()
  await many.console.stop()
  return {
    rows: [...rows, lost],
    note: notes.join(', '),
    peakMb: peak,
    ok: lost.isKept && wrong.every((n) => n === 0),
  }
}
