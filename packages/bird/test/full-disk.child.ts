// A spool on a disk of 256 KiB, which becomes full and then has room again: node full-disk.child.ts FOLDER, in a mount namespace.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSpool, type NewEvent } from '../src/spool/spool.ts'
import { systemClock as clock, systemRandom as random } from '../src/world.ts'

const folder = process.argv[2]!
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
writeFileSync(join(folder, 'filler'), Buffer.alloc(128 * 1024))

const event = (text: string): NewEvent => ({
  at: 1,
  mono: 2,
  boot: 'b'.repeat(32),
  logtype: '4002',
  instance: 'ssh',
  srcHost: '192.0.2.1',
  srcPort: 1,
  dstHost: '192.0.2.2',
  dstPort: 22,
  fields: { PASSWORD: text },
})
const reports: string[] = []
const written = Promise.withResolvers<void>()
const spool = openSpool({
  folder: join(folder, 'spool'),
  clock: { ...clock, after: (ms, wake) => clock.after(Math.min(ms, 20), wake) },
  random,
  report: (message) => reports.push(message),
  onWritten: written.resolve,
})
const seqs = Array.from({ length: 180 }, (_, i) => spool.append(event(`${i} ${'x'.repeat(1000)}`)))
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
process.stdout.write(JSON.stringify({ reports, appended: seqs.length, found }))
