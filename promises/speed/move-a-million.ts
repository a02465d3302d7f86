// A house that grows: a million incidents go to PostgreSQL while the console is stopped, and the retention removes half of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { OWN_TABLES } from '@rookery/console/maintenance/move.ts'
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
        const unequal = await unequalTables(on, server)
        // A start looks at what is due.
        const removal = await removed(await on.start())
        return {
          ok: unequal.length === 0 && removal.left === 0,
          rows: [
            atMost('time of the move', seconds, 's', MAX_MOVE_S),
            exactly('tables that differ', unequal.length, '', 0),
            exactly('incidents that are due and still there', removal.left, '', 0),
          ],
          note: `${INCIDENTS} incidents; the retention removed ${removal.count} of them in ${removal.seconds.toFixed(0)} s${unequal.map((it) => `; ${it}`).join('')}${scaleNote}`,
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

/** The tables that have another number of rows. */
async function unequalTables(on: OnEngine, server: RunningPostgres): Promise<string[]> {
  const tables = await on.rows<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely%'`,
  )
  const unequal: string[] = []
  for (const { name } of tables.filter((it) => !OWN_TABLES.includes(it.name))) {
    const [there] = await server.rows<{ n: number }>(`SELECT count(*) AS n FROM ${name}`)
    const here = await on.row<{ n: number }>(`SELECT count(*) AS n FROM ${name}`)
    if (Number(there?.n) !== here.n) unequal.push(`${name} ${here.n} and ${there?.n}`)
  }
  return unequal
}

/** Waits as long as the number that is due falls. Each second one more becomes due: the next run's. */
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
  const seconds = (performance.now() - startedAt) / 1_000
  return { count, left: Math.max(0, left - Math.ceil(seconds)), seconds }
}
