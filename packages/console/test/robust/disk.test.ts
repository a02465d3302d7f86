// A disk that fills up: ingest waits, people go on, nothing is lost, and no restart is needed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const MOUNT = 'mount -t tmpfs -o size=96m,mode=700 tmpfs "$1"'
const inNamespace = (script: string, ...args: string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', ...args], { encoding: 'utf8', timeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'rookery-disk-'))
const canMount = inNamespace(MOUNT, folder).status === 0

it.skipIf(!canMount)(
  `a full disk stops ingest alone${canMount ? '' : ' (skipped: no mount namespace for a disk of our own)'}`,
  () => {
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const child = fileURLToPath(new URL('./disk.child.ts', import.meta.url))
    const run = `${MOUNT} && exec "$2" --disable-warning=ExperimentalWarning "$3" "$1"`
    const { stdout, stderr, status } = inNamespace(run, folder, process.execPath, child)
    expect(status, stderr).toBe(0)
    const { answeredAfterMs, ...seen } = JSON.parse(stdout) as Record<string, unknown>
    expect(seen).toEqual({
      refusal: [
        'unavailable',
        'The disk is full: <disk>/data/rookery.db cannot grow. Free some space; the console then continues by itself.',
      ],
      crowd: ['unavailable', 'done', 'unavailable'],
      hit: 200,
      waiting: 1,
      full: 1,
      listed: expect.any(Number) as number,
      acknowledged: [200],
      deleted: 200,
      uploaded: [503, 'error', 'The disk is full'],
      recovered: true,
      storedLater: true,
      uploadedLater: [200, 'success', ''],
      waitingAfter: 0,
      restartedFull: true,
      listedAfterRestart: 200,
      freeBeforeStart: 0,
      startedFull: true,
      listedWhenStartedFull: 200,
      recoveredAgain: true,
      whole: true,
    })
    expect(answeredAfterMs).toBeGreaterThan(1_900)
  },
)
