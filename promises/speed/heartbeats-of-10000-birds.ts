// A fleet that only says that it lives.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, exactly, type Case } from '../rig/case.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { cpuMs } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import type { LinkClient } from '../rig/load/link-client.ts'
import { connectBirds } from '../rig/scenes/birds.ts'
import { startConsole, UNMETERED } from '../rig/scenes/console.ts'

const BIRDS = sized(10_000, 100)
/** Fewer Birds beat as much together. */
const HEARTBEAT_MS = 30_000 * (BIRDS / 10_000)
const MEASURED_MS = sized(30_000, 10_000)
const LOOK_MS = 20

const heartbeats: Case = {
  id: 'B14',
  title: 'heartbeats of 10,000 Birds',
  async run() {
    const folder = freshFolder()
    const links: LinkClient[] = []
    const env = { ...UNMETERED, ROOKERY_LINK_HANDSHAKES_PER_SECOND: '100000' }
    const console = await startConsole({ dataDir: folder, env })
    try {
      let beats = 0
      const optionsOf = () => ({ heartbeatMs: HEARTBEAT_MS, onBeat: () => void beats++ })
      await connectBirds(console, links, { birds: BIRDS, optionsOf })
      const { json } = await console.get('/devices/live')
      const missing = BIRDS - (json['devices'] as unknown[]).length
      // What their registration has left to do ends.
      await pause(Math.max(HEARTBEAT_MS, 5_000))
      beats = 0
      const cpuBefore = cpuMs(console.pid)
      const since = performance.now()
      const commits = await countCommits(folder, MEASURED_MS)
      const ms = performance.now() - since
      const cpu = cpuMs(console.pid) - cpuBefore
      const absent = exactly('Birds that are not live', missing, '', 0)
      return {
        ok: absent.isKept && beats > 0,
        rows: [
          atMost('share of a core', (100 * cpu) / ms, '%', 6),
          atMost('transactions', commits / (ms / 1000), '/s', 1.2),
          absent,
        ],
        note: `${BIRDS} Birds, ${(beats / (ms / 1000)).toFixed(0)} heartbeats a second, ${(cpu / beats).toFixed(3)} ms of CPU each; a transaction of heartbeats is one a second, and the leases and the clock of the console have a few a minute${scaleNote}`,
      }
    } finally {
      for (const link of links) link.close()
      await console.stop()
      removeFolder(folder)
    }
  },
}
export default heartbeats

/** Transactions of the console in this time: `data_version` is another after each (https://sqlite.org/pragma.html). */
async function countCommits(folder: string, ms: number): Promise<number> {
  const database = new DatabaseSync(join(folder, 'rookery.db'), { readOnly: true })
  const version = (): number =>
    (database.prepare('PRAGMA data_version').get() as { data_version: number }).data_version
  let [seen, commits] = [version(), 0]
  for (const until = performance.now() + ms; performance.now() < until; await pause(LOOK_MS)) {
    const now = version()
    if (now !== seen) commits++
    seen = now
  }
  database.close()
  return commits
}
