// G12: one client polls with `incidents_since` while eight writers change incidents, and must see every change.
// On PostgreSQL the writers are spread over two consoles on one database.
import pg from 'pg'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { openLoader, visitRequest, type Loader } from '../../rig/load/load.ts'
import { reading } from '../../rig/scenes/stored.ts'
import { plantTokens } from '../../rig/scenes/tokens.ts'

export interface Polled {
  /** Changes made: incidents raised and acknowledged. */
  readonly changes: number
  /** Incidents whose last change the poller has not seen. */
  readonly missed: number
  /** Answers whose `updated_id` did not rise, or did not lie above what was asked for. */
  readonly unordered: number
  readonly polls: number
  readonly refused: number
  readonly seconds: number
}

export interface PollingOptions {
  /** Of an empty PostgreSQL database; SQLite without. */
  readonly databaseUrl?: string
  readonly changes: number
  /** A token raises at most 200 incidents a minute: so many that none is merged. */
  readonly tokens: number
}

const WRITERS = 8
const CONNECTIONS_PER_WRITER = 8
const PAGE = 1_000
/** Between two polls that brought nothing. */
const IDLE_MS = 20
/** Of the incidents seen, every so many-th is acknowledged: a change of an incident that is known already. */
const ACKNOWLEDGE_EVERY = 50
/** Far apart, so that no two writers visit as the same source. */
const SOURCES_PER_CONSOLE = 100_000_000

export async function pollWhileWriting(options: PollingOptions): Promise<Polled> {
  const { databaseUrl, changes, tokens } = options
  const count = databaseUrl === undefined ? 1 : 2
  const folders = Array.from({ length: count }, freshFolder)
  const loaders: Loader[] = []
  const consoles: RunningConsole[] = []
  try {
    for (const dataDir of folders) consoles.push(await startConsole({ dataDir, env: envOf(databaseUrl) }))
    const [first, folder] = [consoles[0], folders[0]]
    if (!first || folder === undefined) throw new Error('No console was started.')
    const requests = (await plantTokens(first, tokens)).map(visitRequest)

    const startedAt = performance.now()
    const poller = poll(first)
    const loads = await Promise.all(
      consoles.map((console, at) => {
        const loader = openLoader()
        loaders.push(loader)
        return loader.run({
          host: '127.0.0.1',
          port: console.tokensPort,
          connections: (WRITERS * CONNECTIONS_PER_WRITER) / count,
          requests,
          count: Math.ceil(changes / count),
          firstSource: at * SOURCES_PER_CONSOLE,
        })
      }),
    )
    const polled = await poller.finish()
    const seconds = (performance.now() - startedAt) / 1000
    const last = databaseUrl === undefined ? lastOfSqlite(folder) : await lastOfPostgres(databaseUrl)
    return {
      seconds,
      changes: loads.reduce((sum, load) => sum + load.hits, 0) + polled.acknowledged,
      missed: last.filter((updatedId) => !polled.seen.has(updatedId)).length,
      unordered: polled.unordered,
      polls: polled.polls,
      refused: loads.reduce((sum, load) => sum + load.refused + load.broken, polled.refused),
    }
  } finally {
    for (const loader of loaders) loader.stop()
    for (const console of consoles) await console.stop()
    folders.forEach(removeFolder)
  }
}

/** Consoles on one database share the key over its secrets. */
const envOf = (databaseUrl: string | undefined): Record<string, string> =>
  databaseUrl === undefined ? {} : { ROOKERY_DATABASE_URL: databaseUrl, ROOKERY_MASTER_KEY: 'ab'.repeat(32) }

interface Listed {
  readonly incidents: readonly { readonly id: string; readonly updated_id: number }[]
  readonly max_updated_id?: number
}

/** Polls until the writers have ended and nothing new comes. */
function poll(console: RunningConsole) {
  const seen = new Set<number>()
  const known = new Set<string>()
  const acknowledging = new Set<Promise<unknown>>()
  let polls = 0
  let unordered = 0
  let refused = 0
  let acknowledged = 0
  let isLast = false

  function acknowledge(incident: string): void {
    const asking = console.post('/incident/acknowledge', { incident }).then(
      ({ status }) => (status === 200 ? acknowledged++ : refused++),
      () => refused++,
    )
    acknowledging.add(asking)
    void asking.finally(() => acknowledging.delete(asking))
  }

  const going = (async () => {
    let since = 0
    for (;;) {
      const wasLast = isLast && acknowledging.size === 0
      const params = { incidents_since: since, limit: PAGE, event_limit: 0 }
      const { status, json } = await console.get('/incidents/all', params)
      polls++
      if (status !== 200) {
        refused++
        continue
      }
      const { incidents, max_updated_id } = json as unknown as Listed
      let before = since
      for (const { id, updated_id } of incidents) {
        if (updated_id <= before) unordered++
        before = updated_id
        seen.add(updated_id)
        if (known.has(id)) continue
        known.add(id)
        if (!isLast && known.size % ACKNOWLEDGE_EVERY === 0) acknowledge(id)
      }
      since = max_updated_id ?? since
      if (incidents.length > 0) continue
      if (wasLast) return
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    }
  })()
  return {
    async finish() {
      isLast = true
      await going
      return { seen, polls, unordered, refused, acknowledged }
    },
  }
}

const LAST_CHANGES = 'SELECT updated_id FROM incident'

const lastOfSqlite = (folder: string): number[] =>
  reading(folder, (db) =>
    (db.prepare(LAST_CHANGES).all() as { updated_id: number }[]).map((row) => row.updated_id),
  )

async function lastOfPostgres(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ updated_id: string }>(LAST_CHANGES)
  await client.end()
  return rows.map((row) => Number(row.updated_id))
}
