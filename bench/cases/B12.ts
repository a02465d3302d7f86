// Search by text: rare and common texts, the first page and the next, totals; and a whole list that streams.
import { atMost, exactly, type Case, type Row } from '../case.ts'
import { ADMIN } from '../lib/console.ts'
import { getRequest, openLoader, type Loader } from '../lib/load.ts'
import { forgetPeak, peakMb, residentMb } from '../lib/process.ts'
import { scaleNote, sized } from '../lib/scale.ts'
import { nodeId } from '../lib/seeded.ts'
import { onSeeded, onSeededSqlite, type SeededScene } from '../lib/seeded-scene.ts'

/** Of so many, the 99th in a hundred is not just the worst. */
const ROUNDS = 200
const BROAD_ROUNDS = 12
/** A console that has just started compiles what it runs; it has run for months when somebody searches. */
const WARM_UPS = 10
/** Texts with at most 10,000 matches: a Bird's id, addresses and parts of them, and none at all. */
const RARE = [nodeId(7), '10.3.200.18', '10.7.9.', 'no such text', '192.168.2.77', '.11.251', '5eed']
const BROAD = ['ssh', '10.', '172.16.', 'login']

interface Figures {
  readonly incidents: number
  readonly rareP99: number
  /** Rare texts searched for in a second, each as often as the others. */
  readonly rareRate: number
  readonly nextP99: number
  /** Milliseconds of a first page with totals, less the page's own, per million matches: the worst of the broad texts. */
  readonly perMillion: number
  readonly wrong: number
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
        indexedS: scene.indexedS,
        seededS: scene.seeded.seconds,
      }))
      const wrong = exactly(
        'totals that a plain count contradicts',
        both.sqlite.wrong + both.postgres.wrong + big.figures.wrong,
        '',
        0,
      )
      const share = (100 * both.postgres.rareRate) / both.sqlite.rareRate
      return {
        ok: wrong.isKept,
        rows: [
          ...rowsOf('1 M', both.sqlite, 50),
          ...rowsOf('10 M', big.figures, 200),
          {
            what: 'rare texts on PostgreSQL, of the rate on SQLite',
            measured: share,
            unit: '%',
            promise: '≥ 40 %',
            isKept: share >= 40,
          },
          atMost('growth while a whole list streams', both.growth, 'MB', 32),
          atMost('peak memory', Math.max(both.peak, big.peak), 'MB', 400),
          wrong,
        ],
        note:
          `sizes ${small} and ${large}; on PostgreSQL rare p99 ${ms(both.postgres.rareP99)}, next pages ${ms(both.postgres.nextP99)}, ` +
          `${ms(both.postgres.perMillion)} a million matches, ${Math.round(both.postgres.rareRate)} of ${Math.round(both.sqlite.rareRate)} rare texts a second${scaleNote}`,
      }
    } finally {
      loader.stop()
    }
  },
}
export default search

const ms = (value: number): string => `${value.toFixed(1)} ms`

const rowsOf = (size: string, { rareP99, nextP99, perMillion }: Figures, most: number): Row[] => [
  atMost(`${size}: p99 of a text with at most 10,000 matches`, rareP99, 'ms', most),
  atMost(`${size}: p99 of the next page of a broad text`, nextP99, 'ms', 50),
  atMost(`${size}: exact totals of a broad text, a million matches`, perMillion, 'ms', 150),
]

async function measure({ on, console, seeded }: SeededScene, loader: Loader): Promise<Figures> {
  const get = (query: string) =>
    getRequest(`/api/v1/incidents/search?filter_incident_state=all&${query}`, { 'X-Auth-Token': ADMIN })
  const send = (query: string, count: number) =>
    loader.run({ host: '127.0.0.1', port: console.port, connections: 1, requests: [get(query)], count })
  const ask = async (query: string, count: number) => {
    await send(query, WARM_UPS)
    return send(query, count)
  }
  let wrong = 0
  const totalOf = async (text: string): Promise<{ total: number; next: string }> => {
    const params = { filter_str: text, filter_incident_state: 'all', limit: 100 }
    const { json, text: body, status } = await console.get('/incidents/search', params)
    if (status !== 200) throw new Error(`A search was refused: ${status} ${body}`)
    const pattern = text.toLowerCase()
    const { n } = await on.row<{ n: number | string }>(
      `SELECT count(*) AS n FROM incident WHERE lower(summary) LIKE '%${pattern}%' OR node_id LIKE '%${pattern}%'
       OR src_host LIKE '%${pattern}%' OR dst_host LIKE '%${pattern}%'`,
    )
    if (Number(n) !== json['total_results']) wrong++
    return { total: Number(n), next: String((json['cursor'] as { next: string | null }).next) }
  }

  let rareP99 = 0
  let rareSeconds = 0
  let rareTexts = 0
  for (const text of RARE) {
    const { total } = await totalOf(text)
    if (total > 10_000) continue
    const load = await ask(`filter_str=${encodeURIComponent(text)}`, ROUNDS)
    rareP99 = Math.max(rareP99, load.p99)
    rareTexts++
    rareSeconds += 1 / load.perSecond
    wrong += load.refused + load.broken
  }
  let nextP99 = 0
  let perMillion = 0
  for (const text of BROAD) {
    const { total, next } = await totalOf(text)
    const whole = await ask(`filter_str=${text}`, BROAD_ROUNDS)
    const page = await ask(`cursor=${encodeURIComponent(next)}`, ROUNDS)
    nextP99 = Math.max(nextP99, page.p99)
    perMillion = Math.max(perMillion, (1_000_000 * Math.max(0, whole.p50 - 50)) / total)
    wrong += whole.refused + whole.broken + page.refused + page.broken
  }
  return {
    incidents: seeded.incidents,
    rareP99,
    rareRate: rareTexts / rareSeconds,
    nextP99,
    perMillion,
    wrong,
  }
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
