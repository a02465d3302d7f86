// A console on a small disk that fills up, is killed, and starts again: node touches-disk.child.ts FOLDER (a tmpfs of 96 MB).
// Prints what it saw.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillDisk } from '../fill-disk.ts'
import { startConsole, type ConsoleProcess } from '../touches-of-killed-console.ts'

const [folder = '.'] = process.argv.slice(2)
const filler = join(folder, 'filler')
const dataDir = join(folder, 'data')

async function until(claim: () => Promise<boolean>): Promise<void> {
  for (const since = performance.now(); performance.now() - since < 20_000;) {
    if (await claim()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const isEmpty = async (started: ConsoleProcess): Promise<boolean> =>
  (await started.gauge('rookery_touches_waiting')) === 0

const killed = await startConsole(dataDir, '')
const tokenId = await killed.plant()
const [dump, table] = [await killed.plant('dbdump'), await killed.plant('sql')]
await killed.touch(tokenId, 1)
fillDisk(filler)
// The log of SQLite may have room for some touches: they are committed, and not in the spool.
let committed = 0
while ((await killed.gauge('rookery_disk_full')) !== 1 && committed < 20_000)
  committed += (await killed.touch(tokenId, 50)).length
await until(() => isEmpty(killed).then((empty) => !empty))
const waitingBefore = await killed.gauge('rookery_touches_waiting')
const eventsBefore = await killed.countEvents()
const statuses = await killed.touch(tokenId, 20)
const refusals = await Promise.all([killed.logIn('mysql', dump), killed.logIn('postgres', table)])
const answered = statuses.filter((status) => status === 200).length
const full = await killed.gauge('rookery_disk_full')
const waiting = (await killed.gauge('rookery_touches_waiting')) - waitingBefore
const notDurable = await killed.gauge('rookery_touches_not_durable')
await killed.kill()
rmSync(filler)

const next = await startConsole(dataDir, '')
await until(() => isEmpty(next))
// What was answered before the disk was full counts as the one touch at the start.
const events = (await next.countEvents()) - (eventsBefore + waitingBefore) + 1
await next.kill()
const again = await startConsole(dataDir, '')
await until(() => isEmpty(again))
const eventsAfterRestart = (await again.countEvents()) - (eventsBefore + waitingBefore) + 1
await again.kill()
process.stdout.write(
  JSON.stringify({ answered, refusals, full, waiting, notDurable, events, eventsAfterRestart }),
)
