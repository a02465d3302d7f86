// G3, in a mount namespace of its own: a console on a small disk that fills up, is restarted full, and grows.
// node disk-full.child.ts FOLDER; prints what it found as JSON (disk-full.ts).
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { enrolmentSecret } from '../../rig/scenes/enrolment.ts'
import { connectLink } from '../../rig/load/link-client.ts'
import { openLoader, visitRequest } from '../../rig/load/load.ts'
import { plantTokens } from '../../rig/scenes/tokens.ts'
import type { FullDisk } from './disk-full.ts'
import { eventOf, judge } from './judge.ts'

const TOKENS = 200
const EVENTS = 2_000
/** Hits that take longer were held in memory: answered, and known not to be durable yet. */
const LATE_MS = 1_500
const PATIENCE_MS = 20_000

const [folder = '.'] = process.argv.slice(2)
const dataDir = join(folder, 'disk')
const filler = join(dataDir, 'filler')
mkdirSync(dataDir)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m,mode=700', 'tmpfs', dataDir])

const loader = openLoader()
/** The Bird of this gate comes back at once, and a real one after a pause. */
const env = { ROOKERY_BIRD_HELLOS: '1000' }
let console = await startConsole({ dataDir, env })
const { port, tokensPort, dnsPort } = console
const requests = (await plantTokens(console, TOKENS)).map(visitRequest)
const enrol = await enrolmentSecret(dataDir)
const key = keyPair(randomBytes(32))

const answered: number[] = []
const held: number[] = []
const refusals: string[] = []
const failures: string[] = []
let acked = 0
let firstSource = 0

const check = (isRight: boolean, claim: string): void => void (isRight || failures.push(claim))

async function hit(ms: number): Promise<void> {
  const load = await loader.run({
    host: '127.0.0.1',
    port: tokensPort,
    connections: 8,
    requests,
    firstSource,
    ms,
    tellSources: true,
    lateMs: LATE_MS,
  })
  firstSource = load.nextSource
  answered.push(...load.answered)
  held.push(...load.answeredLate)
  check(load.refused === 0, `${load.refused} visitors were turned away`)
}

/** Sends events up to this number over one link; it may end before. */
async function send(upto: number): Promise<void> {
  const client = await connectLink({
    port,
    key,
    enrol,
    spoolId: 'd'.repeat(32),
    batchEvents: 50,
    eventOf: (seq) => (seq > upto ? undefined : eventOf(seq)),
    onAck: (number) => (acked = Math.max(acked, number)),
    onRefused: (message) => refusals.push(message),
  }).catch(() => undefined)
  await client?.done
  client?.close()
}

/** Writes until the disk takes no byte more. */
function fillDisk(): void {
  const file = openSync(filler, 'a')
  for (const size of [1024 * 1024, 4096, 1]) {
    const block = Buffer.alloc(size, 1)
    try {
      for (;;) if (writeSync(file, block) < size) break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}

/** Hits until they are held back: only then has the console met the end of the disk. */
async function exhaust(): Promise<void> {
  const before = held.length
  const until = performance.now() + PATIENCE_MS
  while (held.length === before && performance.now() < until) {
    fillDisk()
    await hit(500)
  }
  check(held.length > before, 'the disk was never full for the console')
}

/** What people do goes on: reads, acknowledging, deleting. */
async function careGoesOn(where: string): Promise<void> {
  const list = await console.get('/incidents/unacknowledged', { limit: 2 })
  check(list.status === 200, `${where}: a list was refused: ${list.text}`)
  const incidents = (list.json['incidents'] ?? []) as { id: string }[]
  const acknowledged = await acknowledge(incidents[0]?.id)
  check(acknowledged === 200, `${where}: acknowledging was refused with ${acknowledged}`)
  const { status, text } = await console.get('/incidents/acknowledged', { limit: 1 })
  check(
    status === 200 && text.includes(incidents[0]?.id ?? ' '),
    `${where}: the incident is not acknowledged`,
  )
  // Deleted, its hits could not be found again: only an incident that the check does not need may go.
  const spare = await spareIncident()
  if (spare !== undefined) {
    check((await acknowledge(spare)) === 200, `${where}: acknowledging the Bird's was refused`)
    const removed = await console.post('/incident/delete', { incident: spare })
    check(removed.status === 200, `${where}: deleting was refused: ${removed.text}`)
    check((await spareIncident()) !== spare, `${where}: the incident is not deleted`)
  }
}

const acknowledge = async (incident = ''): Promise<number> =>
  (await console.post('/incident/acknowledge', { incident })).status

/** An incident of the console's own making, if one is left. */
async function spareIncident(): Promise<string | undefined> {
  const { json } = await console.get('/incidents/all', { limit: 5_000, event_limit: 0 })
  const incidents = (json['incidents'] ?? []) as { id: string; description: { memo?: string } }[]
  return incidents.find(({ description }) => description.memo === 'spare')?.id
}

/** Touches of tokens that are not counted, so that there is something to delete. */
async function spareTouches(running: RunningConsole, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const { json } = await running.post('/decoytoken/factory/create', { kind: 'http', memo: 'spare' })
    const { url } = json['decoytoken'] as { url: string }
    const { status } = await fetch(url, { headers: { 'X-Forwarded-For': `198.51.100.${nth}` } })
    check(status === 200, `a spare touch was answered ${status}`)
  }
}

/** The Bird's refusal names what is full. */
function namesThePath(where: string, from: number): void {
  const said = refusals.slice(from)
  check(
    said.some((message) => /disk is full/i.test(message) && message.includes(dataDir)),
    `${where}: the Bird got no answer that the disk of ${dataDir} is full, but ${JSON.stringify(said)}`,
  )
}

// All is well.
await spareTouches(console, 3)
await hit(500)
await send(EVENTS)
check(acked === EVENTS, `only ${acked} of ${EVENTS} events were taken on an empty disk`)

// Full: ingest stops and says why, people go on.
await exhaust()
let from = refusals.length
await send(2 * EVENTS)
check(acked < 2 * EVENTS, 'events were taken on a full disk')
namesThePath('full', from)
await careGoesOn('full')
const logged = console.said()
check(
  logged.includes('disk is full') && logged.includes(dataDir),
  `the log does not name the full disk: ${logged.slice(-300)}`,
)

// Killed and started while it is full. What was held in memory was said not to be durable.
await console.kill()
const heldBeforeRestart = held.splice(0).length
console = await startConsole({ dataDir, env, ports: { port, tokensPort, dnsPort } })
const readyFullMs = console.readyMs
from = refusals.length
await send(2 * EVENTS)
namesThePath('restarted', from)
await careGoesOn('restarted')

// Grown: everything goes on by itself.
execFileSync('mount', ['-o', 'remount,size=200m', dataDir])
const grownAt = performance.now()
while (acked < 2 * EVENTS && performance.now() - grownAt < PATIENCE_MS) {
  await send(2 * EVENTS)
  if (acked < 2 * EVENTS) await new Promise((resolve) => setTimeout(resolve, 100))
}
const recoveredMs = performance.now() - grownAt
check(acked === 2 * EVENTS, `only ${acked} of ${2 * EVENTS} events were taken after the disk had grown`)
await hit(500)

// Full and empty again without a restart: what was held is stored after all.
await exhaust()
await careGoesOn('full again')
rmSync(filler)
await send(3 * EVENTS)
while (acked < 3 * EVENTS && performance.now() - grownAt < 3 * PATIENCE_MS) {
  await new Promise((resolve) => setTimeout(resolve, 100))
  await send(3 * EVENTS)
}
await heldAreStored()
await console.stop()
loader.stop()
const judged = judge(dataDir, [...answered, ...held], acked)
const found: FullDisk = {
  ...judged,
  failures,
  readyFullMs,
  recoveredMs,
  held: heldBeforeRestart + held.length,
}
process.stdout.write(JSON.stringify(found))
execFileSync('umount', [dataDir])

/** Nothing waits in memory, nor on the disk for the database. */
async function heldAreStored(): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const waiting = ['not_durable', 'waiting'].map(
      (name) => new RegExp(`^rookery_touches_${name} (\\d+)`, 'm').exec(text)?.[1],
    )
    if (waiting.every((count) => count === '0')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  check(false, 'held touches still wait in memory after there was room')
}
