// Search by text: rare and common texts, the first page and the next, totals; and a whole list that streams.
import { atMost, exactly, type Case, type Row } from '../rig/case.ts'
import { ADMIN } from '../rig/scenes/console.ts'
import { getRequest, openLoader, type Load, type Loader } from '../rig/load/load.ts'
import { forgetPeak, peakMb, residentMb } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { nodeId } from '../rig/scenes/seeded.ts'
import { onSeeded, onSeededSqlite, type SeededScene } from '../rig/scenes/seeded-scene.ts'

/** Every rare text so many times, in turn. */
const ROUNDS = 30
/** Every next page so many times: done while the totals of the first one are still kept. */
const NEXT_ROUNDS = 100
/** What the page itself may take; the rest of a first page is its totals. */
const PAGE_MS = 50
const BROAD_ROUNDS = 6
/** A console that has just started compiles what it runs; it has run for months when somebody searches. */
const WARM_UPS = 3
const MAX_RARE = 10_000
/** Texts with hardly more matches than that: a Bird's id and name, addresses and parts of them, and none at all. */
const RARE = [nodeId(7), 'bird-777', '10.3.200.18', '10.7.9.', 'no such text', '192.168.2.77', '.11.251']
/** Kinds of incidents, networks, and what every Bird's id begins with. */
const BROAD = ['ssh', '10.', '172.16.', 'login', '5eed']

interface Figures {
  readonly rare: Load
  /** Of second pages, the worst of the broad texts. */
  readonly nextP50: number
  readonly nextP99: number
  /** Milliseconds of a first page with totals, less the page's own, per million matches: the worst of the broad texts. */
  readonly perMillion: number
  /** Totals that a plain count contradicts. */
  readonly wrong: number
  /** Searches that were answered by an error, or whose connection ended. */
  readonly refused: number
}

const search: Case = {
  id: 'B12',
  title: 'search by text with totals, 1 and 10 million incidents',
  async run() {
    const small = sized(1_000_000, 20_000)
    const large = sized(10_000_000, 40_000)
    const loader = openLoader()
    try {
      const both = await onSeeded(small, async (sqlite, postgres) => ({
        sqlite: await measure(sqlite, loader),
        postgres: await measure(postgres, loader),
        growth: await streamed(sqlite),
        peak: peakMb(sqlite.console.pid),
      }))
      const big = await onSeededSqlite(large, async (scene) => ({
        figures: await measure(scene, loader),
        peak: peakMb(scene.console.pid),
      }))
      const all = [both.sqlite, both.postgres, big.figures]
      const total = (count: (figures: Figures) => number) => all.reduce((sum, one) => sum + count(one), 0)
      const wrong = exactly(
        'totals that a plain count contradicts',
        total((figures) => figures.wrong),
        '',
        0,
      )
      const refused = exactly(
        'searches that were refused or cut off',
        total((figures) => figures.refused),
        '',
        0,
      )
      return {
        ok: wrong.isKept && refused.isKept,
        rows: [
          rare('1 M', both.sqlite, 400),
          page('1 M', both.sqlite, 50),
          totals('1 M', both.sqlite),
          rare('1 M on PostgreSQL', both.postgres, 400),
          page('1 M on PostgreSQL', both.postgres, 50),
          totals('1 M on PostgreSQL', both.postgres),
          rare('10 M', big.figures, 3_000),
          page('10 M', big.figures, 100),
          atMost('growth while a whole list streams', both.growth, 'MB', 32),
          atMost('peak memory', Math.max(both.peak, big.peak), 'MB', 400),
          wrong,
          refused,
        ],
        note:
          `sizes ${small} and ${large}; ${described('1 M', both.sqlite)}; ${described('10 M', big.figures)}, ` +
          `${ms(big.figures.perMillion)} a million matches; ${described('1 M on PostgreSQL', both.postgres)}${scaleNote}`,
      }
    } finally {
      loader.stop()
    }
  },
}
export default search

const ms = (value: number): string => `${value.toFixed(1)} ms`

const described = (where: string, { rare, nextP50, nextP99 }: Figures): string =>
  `${where}: rare p50 ${ms(rare.p50)}, p99 ${ms(rare.p99)}, ${Math.round(rare.perSecond)} a second, ` +
  `next pages p50 ${ms(nextP50)}, p99 ${ms(nextP99)}`

const rare = (size: string, figures: Figures, most: number): Row =>
  atMost(`${size}: p99 of a text with at most 10,000 matches`, figures.rare.p99, 'ms', most)
const page = (size: string, { nextP50 }: Figures, most: number): Row =>
  atMost(`${size}: p50 of a page of a broad text, without its totals`, nextP50, 'ms', most)
const totals = (size: string, { perMillion }: Figures): Row =>
  atMost(`${size}: exact totals of a broad text, a million matches`, perMillion, 'ms', 1_500)

async function measure({ on, console }: SeededScene, loader: Loader): Promise<Figures> {
  const get = (query: string) =>
    getRequest(`/api/v1/incidents/search?filter_incident_state=all&${query}`, { 'X-Auth-Token': ADMIN })
  /** Each of them so many times, one after the other. */
  const ask = async (queries: readonly string[], rounds: number) => {
    const target = { host: '127.0.0.1', port: console.port, connections: 1, requests: queries.map(get) }
    await loader.run({ ...target, count: WARM_UPS * queries.length })
    return loader.run({ ...target, count: rounds * queries.length })
  }
  let wrong = 0
  const first = async (text: string): Promise<FirstPage> => {
    const params = { filter_str: text, filter_incident_state: 'all', limit: 100 }
    const { json, text: body, status } = await console.get('/incidents/search', params)
    if (status !== 200) throw new Error(`A search was refused: ${status} ${body}`)
    const pattern = text.toLowerCase()
    const { n } = await on.row<{ n: number | string }>(
      `SELECT count(*) AS n FROM incident WHERE lower(summary) LIKE '%${pattern}%' OR node_id LIKE '%${pattern}%'
       OR name LIKE '%${pattern}%' OR src_host LIKE '%${pattern}%' OR dst_host LIKE '%${pattern}%'`,
    )
    if (Number(n) !== json['total_results']) wrong++
    const next = String((json['cursor'] as { next: string | null }).next)
    return { query: `filter_str=${encodeURIComponent(text)}`, total: Number(n), next }
  }

  const rareOnes: FirstPage[] = []
  for (const text of RARE) rareOnes.push(await first(text))
  const broad: FirstPage[] = []
  for (const text of BROAD) broad.push(await first(text))
  const atMostSoMany = rareOnes.filter(({ total }) => total <= MAX_RARE)
  const rareLoad = await ask(
    atMostSoMany.map(({ query }) => query),
    ROUNDS,
  )
  let refused = rareLoad.refused + rareLoad.broken
  let nextP50 = 0
  let nextP99 = 0
  let perMillion = 0
  for (const { query, total, next } of broad) {
    const whole = await ask([query], BROAD_ROUNDS)
    const page = await ask([`cursor=${encodeURIComponent(next)}`], NEXT_ROUNDS)
    nextP50 = Math.max(nextP50, page.p50)
    nextP99 = Math.max(nextP99, page.p99)
    perMillion = Math.max(perMillion, (1_000_000 * Math.max(0, whole.p50 - PAGE_MS)) / total)
    refused += whole.refused + whole.broken + page.refused + page.broken
  }
  return { rare: rareLoad, nextP50, nextP99, perMillion, wrong, refused }
}

interface FirstPage {
  readonly query: string
  readonly total: number
  /** The cursor of the second page. */
  readonly next: string
}

/** How much the console grows while all its incidents go out in one answer, MB. */
async function streamed({ console }: SeededScene): Promise<number> {
  await console.get('/incidents/unacknowledged', { limit: 5_000 })
  const before = residentMb(console.pid)
  forgetPeak(console.pid)
  const response = await fetch(`http://127.0.0.1:${console.port}/api/v1/incidents/all`, {
    headers: { 'X-Auth-Token': ADMIN },
  })
  for await (const chunk of response.body ?? []) void chunk
  return peakMb(console.pid) - before
}
