import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
const script = fileURLToPath(new URL('../test/full-disk.child.ts', import.meta.url))

test.skipIf(!canMount)(
  'a full disk loses no event, is reported, and is written again when there is room (needs unshare -rm)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-full-'))
    try {
      const run = spawnSync('unshare', ['-rm', process.execPath, script, folder], { encoding: 'utf8' })
      expect(run.stderr).toBe('')
      const { reports, appended, found } = JSON.parse(run.stdout) as Record<string, unknown>
      expect(appended).toBe(180)
      expect(found).toEqual(Array.from({ length: 180 }, (_, i) => i + 1))
      expect(reports).toEqual([
        `The spool ${folder}/spool cannot be written: ENOSPC: no space left on device, write. Events wait in memory; retrying every second.`,
        `The spool ${folder}/spool can be written again; 0 events were lost meanwhile.`,
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
