// A house that grows: a million incidents go to PostgreSQL while the console is stopped, and the retention removes half of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { nodePath, root } from '../../tools/clone.mjs'
import { atMost, exactly, type Case } from '../rig/case.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import type { RunningConsole } from '../rig/scenes/console.ts'
import type { OnEngine } from '../rig/scenes/engines.ts'
import { startPostgres, type RunningPostgres } from '../rig/scenes/postgres.ts'
import { onSeededSqlite } from '../rig/scenes/seeded-scene.ts'

const INCIDENTS = sized(1_000_000, 20_000)
const MAX_MOVE_S = 180

const moved: Case = {
  id: 'B23',
  title:
    'a million incidents moved to PostgreSQL by `rookery move`, and those of a day ago removed by the retention',
  run: () =>
    onSeededSqlite(INCIDENTS, async ({ on, console }) => {
      await console.post('/settings/retention', { incident_days: 1 })
      await console.stop()
      const folder = freshFolder()
      const server = await startPostgres(folder)
      try {
        const startedAt = performance.now()
        move(on.folder, server.url)
        const seconds = (performance.now() - startedAt) / 1_000
        const difference = await rowDifference(on, server)
        // A start looks at what is due.
        const removal = await removed(await on.start())
        return {
          ok: difference === 0 && removal.left === 0,
          rows: [
            atMost('time of the move', seconds, 's', MAX_MOVE_S),
            exactly('rows that one has and the other lacks', difference, '', 0),
            exactly('incidents that are due and still there', removal.left, '', 0),
          ],
          note: `${INCIDENTS} incidents; the retention removed ${removal.count} of them in ${removal.seconds.toFixed(0)} s${scaleNote}`,
        }
      } finally {
        await server.stop()
        removeFolder(folder)
      }
    }),
}
export default moved

function move(dataDir: string, url: string): void {
  const args = [
    '--disable-warning=ExperimentalWarning',
    join(root, '.build/rookery.mjs'),
    'move',
    '--to',
    url,
  ]
  const { status, stderr } = spawnSync(nodePath(), args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ROOKERY_DATA_DIR: dataDir },
  })
  if (status !== 0) throw new Error(`rookery move ended with ${status}: ${stderr}`)
}

/** The sum of all tables' differences; migrations have rows of their own on each engine. */
async function rowDifference(on: OnEngine, server: RunningPostgres): Promise<number> {
  const tables = await server.rows<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'kysely%'`,
  )
  let difference = 0
  for (const { name } of tables) {
    const [there] = await server.rows<{ n: number }>(`SELECT count(*) AS n FROM ${name}`)
    const here = await on.row<{ n: number }>(`SELECT count(*) AS n FROM ${name}`).catch(() => ({ n: 0 }))
    difference += Math.abs(Number(there?.n) - here.n)
  }
  return difference
}

/** Waits as long as the number that is due falls. */
async function removed(console: RunningConsole) {
  const startedAt = performance.now()
  const due = async () => Number((await console.get('/settings/retention/due', {})).json['incidents'])
  const count = await due()
  let left = count
  for (let before = Number.POSITIVE_INFINITY; left > 0 && left < before;) {
    before = left
    await sleep(15_000)
    left = await due()
  }
  return { count, left, seconds: (performance.now() - startedAt) / 1_000 }
}
