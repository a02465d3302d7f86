import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

/** More than the thread lets lie. */
const BYTES = 16 * 1024 * 1024

it('stopping waits for the checkpoint thread, also when nothing else keeps the process alive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-checkpointer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'rookery.db')
  const imported = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)
  const script = `
    import { openCheckpointer } from ${imported('./checkpointer.ts')}
    import { connect } from ${imported('./connection.ts')}
    const writing = connect(${JSON.stringify(path)}, { readOnly: false })
    writing.raw.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(${BYTES}))')
    const checkpointer = openCheckpointer(${JSON.stringify(path)}, writing)
    void checkpointer.eased()
    await checkpointer.close()
    console.log('closed')
    process.kill(process.pid, 'SIGKILL')`
  writeFileSync(join(folder, 'stop.mjs'), script)
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'stop.mjs')], { encoding: 'utf8' })
  expect(stdout.trim(), stderr).toBe('closed')
  // The writer, which was killed, did not move the log into the file.
  expect(statSync(path).size).toBeGreaterThan(BYTES)
})
