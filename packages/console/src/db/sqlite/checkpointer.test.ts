import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('stopping waits for the checkpoint thread, also when nothing else keeps the process alive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-checkpointer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = `
    import { openSqlite } from ${JSON.stringify(new URL('./engine.ts', import.meta.url).href)}
    const engine = openSqlite(${JSON.stringify(join(folder, 'rookery.db'))})
    await engine.close()
    console.log('closed')`
  writeFileSync(join(folder, 'stop.mjs'), script)
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'stop.mjs')], {
    encoding: 'utf8',
  })
  expect([stdout.trim(), status], stderr).toEqual(['closed', 0])
})
