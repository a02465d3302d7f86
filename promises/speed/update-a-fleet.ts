// A fleet that is updated in one run: each Bird fetches the release by its link, and says that it runs.
import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { releaseOf } from '@rookery/link/test/signed-release.ts'
import { nodePath, root } from '../../tools/clone.mjs'
import { atMost, exactly, percentile, type Case } from '../rig/case.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { forgetPeak, peakMb, residentMb } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { askMeanwhile } from './lib/token-files.ts'
import { fileTaker } from '../rig/load/file-taker.ts'
import type { LinkClient } from '../rig/load/link-client.ts'
import { connectBirds } from '../rig/scenes/birds.ts'
import { startConsole, UNMETERED } from '../rig/scenes/console.ts'

const BIRDS = sized(500, 20)
/** As large as a release of the Bird is, packed. */
const RELEASE_BYTES = 340_000
/** Nobody waits longer for a fleet. */
const PATIENCE_MS = 600_000

const update: Case = {
  id: 'B22',
  title: `${BIRDS} Birds take a release of ${Math.round(RELEASE_BYTES / 1000)} KB in one run, each by its link`,
  async run() {
    const folder = freshFolder()
    const links: LinkClient[] = []
    const env = { ...UNMETERED, ROOKERY_LINK_HANDSHAKES_PER_SECOND: '100000' }
    const console = await startConsole({ dataDir: folder, env })
    try {
      const ends = { applied: 0, failed: 0 }
      const onEnd = (state: 'applied' | 'failed'): void => void ends[state]++
      await connectBirds(console, links, { birds: BIRDS, optionsOf: () => ({ onFile: fileTaker(onEnd) }) })
      await console.post('/settings/automatic_updates/disable')
      const tag = await addRelease(folder)
      const { json } = await console.get('/devices/live')
      const ids = (json['devices'] as { id: string }[]).map(({ id }) => id)
      forgetPeak(console.pid)
      const before = residentMb(console.pid)
      const since = performance.now()
      const stopped = new AbortController()
      const asking = askMeanwhile(console, stopped.signal, '/devices/rows')
      let refused = 0
      for (const node_id of ids) {
        const { status } = await console.post('/device/update', { node_id, update_tag: tag })
        if (status !== 200) refused++
      }
      const isUpdating = async (): Promise<boolean> => {
        const answer = await console.get('/update/updating_devices', { flock_id: 'flock:default' })
        return (answer.json['updating_devices'] as unknown[] | null)?.length !== 0
      }
      while ((await isUpdating()) && performance.now() - since < PATIENCE_MS) await pause(50)
      const ms = performance.now() - since
      stopped.abort()
      const { json: after } = await console.get('/update/updating_devices', { flock_id: 'flock:default' })
      const stuck = exactly('Birds that are stuck', (after['updating_devices'] as unknown[]).length, '', 0)
      const applied = exactly('Birds that did not get it whole', BIRDS - ends.applied, '', 0)
      return {
        ok: stuck.isKept && applied.isKept && refused === 0,
        rows: [
          stuck,
          applied,
          exactly('calls of device/update refused', refused, '', 0),
          atMost('the whole run', ms / 1000, 's', 120),
          atMost('p99 of the API meanwhile', percentile(await asking, 0.99), 'ms', 100),
          atMost('memory of the console, more', peakMb(console.pid) - before, 'MB', 64),
        ],
        note: `${((BIRDS * RELEASE_BYTES) / 1e6 / (ms / 1000)).toFixed(1)} MB/s by the links${scaleNote}`,
      }
    } finally {
      for (const link of links) link.close()
      await console.stop()
      removeFolder(folder)
    }
  },
}
export default update

/** As `rookery release add` does it while the console runs; answers the tag. */
async function addRelease(dataDir: string): Promise<string> {
  const release = releaseOf(new Map([['rookery-bird.mjs', randomBytes(RELEASE_BYTES)]]))
  const archive = join(dataDir, 'a.tar.zst')
  writeFileSync(archive, release.archive)
  writeFileSync(join(dataDir, 'a.manifest.json'), release.manifest)
  writeFileSync(join(dataDir, 'a.manifest.json.sig'), release.signature)
  const program = join(root, '.build/rookery.mjs')
  const env = { ...process.env, ROOKERY_DATA_DIR: dataDir }
  await promisify(execFile)(nodePath(), [program, 'release', 'add', archive], { env })
  return release.tag
}
