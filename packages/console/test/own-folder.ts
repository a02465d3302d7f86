// A folder of a test's own, which goes with the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function ownFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'rookery-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
