// Bulk actions: 100,000 incidents acknowledged, unacknowledged, deleted, while token hits come in.
import { atMost, exactly, type Case } from '../rig/case.ts'
import { ADMIN } from '../rig/scenes/console.ts'
import { openLoader, visitRequest, type Load, type Loader } from '../rig/load/load.ts'
import { percentile } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { onSeeded, type SeededScene } from '../rig/scenes/seeded-scene.ts'
import { plantTokens } from '../rig/scenes/tokens.ts'

const INCIDENTS = 1_000_000
const TOKENS = 200
/** Hits meanwhile come from so many visitors, one at a time each. */
const CONNECTIONS = 8

/** Each of another Flock, on one engine and then on the other. */
const ROUNDS = 3

interface Round {
  readonly acknowledgeS: number
  readonly deleteS: number
  /** Milliseconds. */
  readonly hitP99: number
  readonly changed: number
  readonly wrong: number
}

const bulk: Case = {
  id: 'B13',
  title: 'acknowledge and delete 100,000 of 1 million incidents, while tokens are hit',
  async run() {
    const incidents = sized(INCIDENTS, 50_000)
    const loader = openLoader()
    try {
      const rounds = await onSeeded(incidents, async (ours, theirs) => {
        const [onSqlite, onPostgres] = [await openRounds(ours, loader), await openRounds(theirs, loader)]
        const done: { readonly sqlite: Round; readonly postgres: Round }[] = []
        for (let nth = 0; nth < ROUNDS; nth++)
          done.push({ sqlite: await onSqlite(nth), postgres: await onPostgres(nth) })
        return done
      })
      const [sqlite, postgres] = [rounds.map((it) => it.sqlite), rounds.map((it) => it.postgres)]
      const wrong = exactly(
        'incidents changed that should not be, or not',
        [...sqlite, ...postgres].reduce((sum, it) => sum + it.wrong, 0),
        '',
        0,
      )
      const share = median(rounds, (it) => (100 * it.sqlite.acknowledgeS) / it.postgres.acknowledgeS)
      return {
        ok: wrong.isKept,
        rows: [
          atMost('acknowledge', median(sqlite, acknowledgeS), 's', 5),
          atMost('delete', median(sqlite, deleteS), 's', 5),
          atMost('p99 of hits meanwhile', median(sqlite, hitP99), 'ms', 50),
          {
            what: 'on PostgreSQL, of the rate on SQLite',
            measured: share,
            unit: '%',
            promise: '≥ 40 %',
            isKept: share >= 40,
          },
          wrong,
        ],
        note:
          `${sqlite[0]?.changed ?? 0} of ${incidents} incidents, medians of ${ROUNDS} rounds; acknowledged in ` +
          `${each(sqlite, acknowledgeS)} s on SQLite, ${each(postgres, acknowledgeS)} s on PostgreSQL; deleted there in ` +
          `${each(postgres, deleteS)} s, hits p99 ${median(postgres, hitP99).toFixed(1)} ms${scaleNote}`,
      }
    } finally {
      loader.stop()
    }
  },
}
export default bulk

type Of = (round: Round) => number
const acknowledgeS: Of = (it) => it.acknowledgeS
const deleteS: Of = (it) => it.deleteS
const hitP99: Of = (it) => it.hitP99

const median = <T>(all: readonly T[], of: (one: T) => number): number => percentile(all.map(of), 0.5)
const each = (all: readonly Round[], of: Of): string => all.map((it) => of(it).toFixed(2)).join(', ')

/** Prepares the console; the answer plays the nth round. */
async function openRounds(
  { on, console, seeded }: SeededScene,
  loader: Loader,
): Promise<(nth: number) => Promise<Round>> {
  const requests = (await plantTokens(console, TOKENS)).map(visitRequest)
  const latencies: Load[] = []
  let nextSource = 0
  const act = async (method: 'POST' | 'DELETE', path: string, form: Record<string, string>) => {
    let isDone = false
    const hits = (async () => {
      while (!isDone) {
        const load = await loader.run({
          host: '127.0.0.1',
          port: console.tokensPort,
          connections: CONNECTIONS,
          requests,
          ms: 500,
          firstSource: nextSource,
        })
        nextSource = load.nextSource
        latencies.push(load)
      }
    })()
    const startedAt = performance.now()
    const response = await fetch(`http://127.0.0.1:${console.port}/api/v1${path}`, {
      method,
      headers: { 'X-Auth-Token': ADMIN },
      body: new URLSearchParams(form),
    })
    const { keys } = (await response.json()) as { keys: string[] }
    const seconds = (performance.now() - startedAt) / 1_000
    isDone = true
    await hits
    return { seconds, keys: keys.length }
  }
  return async (nth) => {
    // One Flock of many, both its states: a tenth of all.
    const flockId = seeded.flockIds[nth] ?? ''
    const all = { flock_id: flockId }
    // Brings all of the Flock into one state first: half of them are acknowledged.
    await act('POST', '/incidents/unacknowledge', all)
    latencies.length = 0
    const acknowledged = await act('POST', '/incidents/acknowledge', all)
    const deleted = await act('DELETE', '/incidents/delete', { ...all, older_than: '0h' })
    const { n } = await on.row<{ n: number | string }>(
      `SELECT count(*) AS n FROM incident WHERE flock_id = '${flockId}' AND (deleted_at IS NULL OR acknowledged = 0)`,
    )
    const found = await console.get('/incidents/search', { flock_id: flockId, filter_incident_state: 'all' })
    const due = seeded.incidents / seeded.flockIds.length
    return {
      acknowledgeS: acknowledged.seconds,
      deleteS: deleted.seconds,
      hitP99: percentile(
        latencies.map((load) => load.p99),
        0.5,
      ),
      changed: acknowledged.keys,
      wrong:
        Number(n) +
        Math.abs(acknowledged.keys - due) +
        Math.abs(deleted.keys - due) +
        Number(found.json['total_results']),
    }
  }
}
