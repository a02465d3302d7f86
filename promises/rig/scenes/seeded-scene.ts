// Consoles over very many incidents: one size after the other, so that only one of them lies on the disk and in memory.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsole, type RunningConsole } from './console.ts'
import { onBothEngines, type OnEngine } from './engines.ts'
import { makeFlocks } from './flocks.ts'
import { freshFolder, removeFolder } from '../folder.ts'
import { FLOCKS, seedMany, type SeededIncidents } from './seeded.ts'
import { reading } from './stored.ts'

export interface SeededScene {
  readonly on: OnEngine
  readonly console: RunningConsole
  readonly seeded: SeededIncidents
}

/** Seeds, and starts the console. */
async function openScene(on: OnEngine, incidents: number): Promise<SeededScene> {
  const first = await on.start()
  const flockIds = await makeFlocks(first, FLOCKS)
  await first.stop()
  const seeded = await seedMany(on, incidents, flockIds)
  return { on, console: await on.start(), seeded }
}

/** Plays on both engines at one size. */
export const onSeeded = <T>(
  incidents: number,
  play: (sqlite: SeededScene, postgres: SeededScene) => Promise<T>,
): Promise<T> =>
  onBothEngines(async (sqlite, postgres) =>
    play(await openScene(sqlite, incidents), await openScene(postgres, incidents)),
  )

/** Plays on SQLite alone. With `BENCH_KEEP=1` the database stays, and the next case of this size begins with it. */
export async function onSeededSqlite<T>(
  incidents: number,
  play: (scene: SeededScene) => Promise<T>,
): Promise<T> {
  const kept = keptFolder(incidents)
  const folder = kept ?? freshFolder()
  let running: RunningConsole | undefined
  const rows = <R>(text: string): Promise<R[]> =>
    Promise.resolve(reading(folder, (db) => db.prepare(text).all() as R[]))
  const on: OnEngine = {
    engine: 'sqlite',
    folder,
    rows,
    row: async <R>(text: string) => (await rows<R>(text))[0] as R,
    start: async (options = {}) => (running = await startConsole({ ...options, dataDir: folder })),
  }
  try {
    const seededBefore = join(folder, 'seeded.json')
    if (existsSync(seededBefore)) {
      const seeded = JSON.parse(readFileSync(seededBefore, 'utf8')) as SeededIncidents
      return await play({ on, console: await on.start(), seeded })
    }
    const scene = await openScene(on, incidents)
    if (kept !== undefined) writeFileSync(seededBefore, JSON.stringify(scene.seeded))
    return await play(scene)
  } finally {
    await running?.stop()
    if (kept === undefined) removeFolder(folder)
  }
}

function keptFolder(incidents: number): string | undefined {
  if (process.env['BENCH_KEEP'] !== '1') return undefined
  const folder = join(process.env['BENCH_DIR'] ?? tmpdir(), `rookery-seeded-${incidents}`)
  mkdirSync(folder, { recursive: true })
  return folder
}
