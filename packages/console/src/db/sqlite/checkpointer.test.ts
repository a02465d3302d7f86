import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownFolder } from '../../../test/own-folder.ts'

/** More than is let lie in the log. */
const BYTES = 16 * 1024 * 1024

const imported = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)

/** Runs a program in a process of its own, which has the checkpointer of a new database and a table for blobs. */
function play(lines: string, limits = 'true') {
  const folder = ownFolder()
  const path = join(folder, 'rookery.db')
  const program = `
    import { openCheckpointer } from ${imported('./checkpointer.ts')}
    import { connect } from ${imported('./connection.ts')}
    import { startThread } from ${imported('../thread.ts')}
    const writing = connect(${JSON.stringify(path)}, { readOnly: false })
    writing.raw.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x)')
    const checkpointer = openCheckpointer(${JSON.stringify(path)}, writing)
    ${lines}`
  const script = join(folder, 'play.mjs')
  writeFileSync(script, program)
  const command = `${limits} && exec "$0" "$1"`
  const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, script], {
    encoding: 'utf8',
  })
  return { output: stdout.trim(), stderr, databaseBytes: statSync(path).size }
}

it('stopping waits for the checkpoint thread, also when nothing else keeps the process alive', () => {
  const { output, stderr, databaseBytes } = play(`
    writing.raw.exec('INSERT INTO t VALUES (zeroblob(${BYTES}))')
    void checkpointer.checkpointed()
    await checkpointer.close()
    console.log('closed')
    process.kill(process.pid, 'SIGKILL')`)
  expect(output, stderr).toBe('closed')
  // The writer, which was killed, did not move the log into the file.
  expect(databaseBytes).toBeGreaterThan(BYTES)
})

it('where the system gives no thread the writer moves the log itself', () => {
  const { output, stderr, databaseBytes } = play(
    `
    // No limit of processes holds for root.
    if (process.getuid() === 0) process.setuid(65_534)
    try {
      startThread('checkpoint', ${imported('./checkpointer.ts')}, {})
    } catch (fault) {
      console.log(fault.message)
    }
    for (let n = 0; n < 64; n++) {
      writing.raw.exec('INSERT INTO t VALUES (zeroblob(1048576))')
      checkpointer.afterCommit()
      await checkpointer.ready()
    }
    await checkpointer.close()
    console.log('closed')
    process.kill(process.pid, 'SIGKILL')`,
    'ulimit -u 1',
  )
  expect(output, stderr).toBe('The system gives the console no thread now.\nclosed')
  expect(databaseBytes).toBeGreaterThan(32 * 1024 * 1024)
})
