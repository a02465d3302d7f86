// A spool on a disk of 256 KiB, which becomes full and then has room again: node full-disk.child.ts FOLDER, in a mount namespace.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clock, event, openTestSpool } from './events.ts'

const folder = process.argv[2]!
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
writeFileSync(join(folder, 'filler'), Buffer.alloc(128 * 1024))

const written = Promise.withResolvers<void>()
const { spool, reports } = openTestSpool(join(folder, 'spool'), {
  clock: { ...clock, after: (ms, wake) => clock.after(Math.min(ms, 20), wake) },
  onWritten: written.resolve,
})
const EVENTS = 180
const GROUP = 6
for (let i = 0; i < EVENTS; i += GROUP)
  spool.appendAll(Array.from({ length: GROUP }, (_, n) => event(`${i + n} ${'x'.repeat(1000)}`)))
const appended = spool.next() - 1
rmSync(join(folder, 'filler'))
// The clock's timers do not keep the process running.
const keepAlive = setInterval(() => {}, 1000)
await written.promise
clearInterval(keepAlive)
let after = 0
const found: number[] = []
for (let batch = spool.read(0, 1000, 1e6); batch; batch = spool.read(after, 1000, 1e6)) {
  found.push(...batch.events.map((json) => (JSON.parse(json) as { seq: number }).seq))
  after = batch.last
}
spool.close()
process.stdout.write(JSON.stringify({ reports, appended, found }))
