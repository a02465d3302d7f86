// Every token of a large console, page by page, as a script reads its inventory.
import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { ADMIN, type RunningConsole } from '../rig/scenes/console.ts'
import { onBothEngines } from '../rig/scenes/engines.ts'
import { seedTokens } from '../rig/scenes/many-tokens.ts'
import { startSketch, type Sketch } from '../rig/sketches/start-sketch.ts'
import { peakMb } from '../rig/process.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const ROUNDS = 3
const PAGE = 5_000

const inventory: Case = {
  id: 'B20',
  title: 'all tokens of a console with 130,000, in pages of 5,000',
  run: () =>
    onBothEngines(async (sqlite, postgres) => {
      const tokens = sized(130_000, 6_000)
      let peer: Sketch | undefined
      try {
        for (const on of [sqlite, postgres]) await seedTokens(on, tokens)
        const [ours, theirs] = [await sqlite.start(), await postgres.start()]
        peer = await startSketch('tokens', sqlite.folder)
        const { port } = peer
        const walks: { sqlite: Walk; postgres: Walk; sketch: number }[] = []
        for (let round = 0; round <= ROUNDS; round++)
          walks.push({ sqlite: await walk(ours), postgres: await walk(theirs), sketch: await readAll(port) })
        // The first round reads from the disk what the others find in memory.
        const warm = walks.slice(1)
        const s = median(warm.map((it) => it.sqlite.ms)) / 1000
        const onPostgres = median(warm.map((it) => it.postgres.ms)) / 1000
        const wrong = walks
          .flatMap((it) => [it.sqlite, it.postgres])
          .map(({ seen, repeated }) => Math.abs(seen - tokens - 1) + repeated)
          .reduce((a, b) => a + b)
        const right = exactly('tokens missed or repeated', wrong, '', 0)
        return {
          ok: right.isKept,
          rows: [
            atMost('all tokens', s, 's', 3, median(warm.map((it) => it.sketch)) / 1000),
            atMost('the first time', (walks[0]?.sqlite.ms ?? Number.NaN) / 1000, 's', 3),
            atLeast('on PostgreSQL, of the rate on SQLite', (100 * s) / onPostgres, '%', 40),
            atMost('peak memory', peakMb(ours.pid), 'MB', 400),
            right,
          ],
          note: `${tokens + 1} tokens in ${walks[0]?.sqlite.pages} pages, ${megabytes(walks[0]?.sqlite.bytes)} MB; on PostgreSQL ${onPostgres.toFixed(2)} s; longest page ${Math.round(Math.max(...warm.map((it) => it.sqlite.longest)))} ms; reference: node:http + node:sqlite, one answer of all rows as they are${scaleNote}`,
        }
      } finally {
        await peer?.stop()
      }
    }),
}
export default inventory

interface Walk {
  /** Spent waiting for answers. */
  readonly ms: number
  readonly longest: number
  readonly pages: number
  readonly bytes: number
  readonly seen: number
  readonly repeated: number
}

interface Page {
  readonly tokens: readonly { readonly decoytoken: string }[]
  readonly cursor: { readonly next: string | null }
  readonly page_total: number
}

async function walk({ port }: RunningConsole): Promise<Walk> {
  const seen = new Set<string>()
  const took: number[] = []
  let [bytes, shown, pages] = [0, 0, 0]
  let next: string | null | undefined
  while (next !== null) {
    const query = new URLSearchParams(next === undefined ? { limit: String(PAGE) } : { cursor: next })
    const asked = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/decoytokens/paginate?${query.toString()}`, {
      headers: { 'X-Auth-Token': ADMIN },
    })
    const text = await answer.text()
    took.push(performance.now() - asked)
    if (answer.status !== 200) throw new Error(`A page was refused: ${answer.status} ${text}`)
    const page = JSON.parse(text) as Page
    for (const { decoytoken } of page.tokens) seen.add(decoytoken)
    shown += page.tokens.length
    bytes += text.length
    pages++
    next = page.cursor.next
    if (next === null && page.page_total !== pages) throw new Error(`${page.page_total} pages were promised.`)
  }
  return {
    ms: took.reduce((a, b) => a + b),
    longest: Math.max(...took),
    pages,
    bytes,
    seen: seen.size,
    repeated: shown - seen.size,
  }
}

async function readAll(port: number): Promise<number> {
  const asked = performance.now()
  await (await fetch(`http://127.0.0.1:${port}/`)).text()
  return performance.now() - asked
}

const megabytes = (bytes = 0): string => (bytes / 1e6).toFixed(0)
