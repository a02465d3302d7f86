// G2: the power of a machine with console and local Bird is cut again and again while visitors touch tokens and a decoy.
// Each installation is new: its first cut comes right after it was set up.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../tools/clone.mjs'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { openLoader, visitRequest, type Loader } from '../../rig/load/load.ts'
import { DECOY_PORTS } from '../../rig/scenes/local-bird.ts'
import { freeOffset, freePort } from '../../../tools/free-port.ts'
import { reading } from '../../rig/scenes/stored.ts'
import { plantTokens } from '../../rig/scenes/tokens.ts'
import type { Dice } from './dice.ts'
import { judge } from './judge.ts'
import {
  contentsAfter,
  differences,
  readDisk,
  replay,
  unsyncedChanges,
  writeDisk,
  type Directory,
} from './power/disk.ts'
import { compileJournal, journaling, readJournals } from './power/journal.ts'
import { openTimers, type Timers } from './power/timers.ts'
import { openToucher, passwordOf, type Toucher } from './power/touches.ts'

export interface PowerCuts {
  readonly cuts: number
  readonly hits: number
  readonly touches: number
  readonly lostHits: number
  readonly doubledHits: number
  readonly doubledTouches: number
  /**
   * Of each cut that dropped everything: how long before it the oldest lost touch of the decoy was answered,
   * milliseconds; 0 when none was lost.
   */
  readonly oldestLostMs: readonly number[]
  /** Of each cut: how late a timer was at worst before it, in a process of the Bird's low priority. */
  readonly timersLateMs: readonly number[]
  /** Installations that did not start again, or whose database is damaged, in words. */
  readonly damaged: readonly string[]
  /** Changes that the cuts could take. */
  readonly unsynced: number
  /** Files of which the journal says other than the disk: then the gate itself is broken. */
  readonly unlike: readonly string[]
}

export interface PowerCutOptions {
  readonly cuts: number
  readonly dice: Dice
  /** What SQLite does at a commit: NORMAL must lose what it has acknowledged. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Stops each installation once, cleanly, when it is set up: a cut before would take all of it from the control. */
  readonly keepsSetUp?: boolean
  readonly onCut?: (done: number) => void
}

const CUTS_PER_INSTALLATION = 10
const TOKENS = 40
const CONNECTIONS = 8
const MAX_LIFE_MS = 250
/** Later answers came from memory, and do not claim to be durable. */
const LATE_MS = 1_500
const DRAIN_MS = 20_000
const REDIS = 6379
const dropsAll = (life: number): boolean => life % 2 === 0

export async function survivePowerCuts(options: PowerCutOptions): Promise<PowerCuts> {
  const { cuts, synchronous, onCut } = options
  const tools = freshFolder()
  const loader = openLoader()
  const timers = openTimers()
  try {
    const library = compileJournal(tools)
    const build = bundleWith(synchronous, tools)
    const found: Installation[] = []
    for (let done = 0; done < cuts;) {
      const most = Math.min(CUTS_PER_INSTALLATION, cuts - done)
      found.push(await installation({ ...options, cuts: most, library, build, loader, timers }))
      done += most
      onCut?.(done)
    }
    const sum = (of: (it: Installation) => number): number => found.reduce((total, it) => total + of(it), 0)
    return {
      cuts: sum((it) => it.cuts),
      hits: sum((it) => it.hits),
      touches: sum((it) => it.touches),
      lostHits: sum((it) => it.lostHits),
      doubledHits: sum((it) => it.doubledHits),
      doubledTouches: sum((it) => it.doubledTouches),
      oldestLostMs: found.flatMap((it) => it.oldestLostMs),
      timersLateMs: found.flatMap((it) => it.timersLateMs),
      damaged: found.flatMap((it) => it.damaged),
      unsynced: sum((it) => it.unsynced),
      unlike: found.flatMap((it) => it.unlike),
    }
  } finally {
    timers.stop()
    loader.stop()
    removeFolder(tools)
  }
}

/** The bundle as it is, or a copy that differs in this one word. */
function bundleWith(synchronous: 'FULL' | 'NORMAL', folder: string): string {
  const bundle = join(root, '.build')
  if (synchronous === 'FULL') return bundle
  const copy = join(folder, '.build')
  cpSync(bundle, copy, { recursive: true })
  // A bundle finds the skins of the decoys next to itself.
  symlinkSync(join(root, 'packages'), join(folder, 'packages'))
  let replaced = 0
  for (const name of readdirSync(copy).filter((it) => it.endsWith('.mjs'))) {
    const text = readFileSync(join(copy, name), 'utf8')
    replaced += text.split('synchronous=FULL').length - 1
    writeFileSync(join(copy, name), text.replaceAll('synchronous=FULL', `synchronous=${synchronous}`))
  }
  if (replaced === 0) throw new Error('The bundle says synchronous=FULL nowhere: the control has no effect.')
  return copy
}

type Installation = PowerCuts

interface InstallationOptions extends PowerCutOptions {
  readonly library: string
  readonly build: string
  readonly loader: Loader
  readonly timers: Timers
}

async function installation(options: InstallationOptions): Promise<Installation> {
  const { cuts, dice, library, build, loader, timers, keepsSetUp = false } = options
  const folder = freshFolder()
  const data = join(folder, 'data')
  const journals = join(folder, 'journals')
  mkdirSync(data, { mode: 0o700 })
  const ports = { port: await freePort(), tokensPort: await freePort(), dnsPort: await freePort() }
  const offset = await freeOffset(DECOY_PORTS)
  const toucher = openToucher()
  const cutAt: number[] = []
  const answered: number[] = []
  let requests: readonly string[] = []
  let firstSource = 0
  const measured = { unsynced: 0, timersLateMs: [] as number[] }
  let console: RunningConsole | undefined

  /** Starts it on the disk as the last cut left it; answers the machine and that disk. */
  async function start(): Promise<{ console: RunningConsole; disk: Directory }> {
    removeFolder(journals)
    mkdirSync(journals)
    const disk = readDisk(data)
    const env = { ...journaling(library, data, journals), ROOKERY_BIRD_PORT_OFFSET: String(offset) }
    const started = await startConsole({ dataDir: data, command: 'up', build, ports, env })
    console = started
    return { console: started, disk }
  }

  async function setUp(console: RunningConsole): Promise<void> {
    requests = (await plantTokens(console, TOKENS)).map(visitRequest)
  }

  async function liveUntilCut(life: number): Promise<void> {
    const { console, disk } = await start()
    if (requests.length === 0) await setUp(console)
    const touching = await toucher.begin(REDIS + offset, life)
    const hits = loader.run({
      host: '127.0.0.1',
      port: ports.tokensPort,
      connections: CONNECTIONS,
      requests,
      firstSource,
      ms: 60_000,
      tellSources: true,
      lateMs: LATE_MS,
    })
    await timers.late()
    await new Promise((resolve) => setTimeout(resolve, dice.between(1, MAX_LIFE_MS)))
    await cutPower(console)
    measured.timersLateMs.push(await timers.late())
    cutAt.push(performance.now())
    const load = await hits
    await touching.ended
    firstSource = load.nextSource
    answered.push(...load.answered)
    replay(disk, data, readJournals(journals))
    measured.unsynced += unsyncedChanges(disk)
    writeDisk(data, contentsAfter(disk, dropsAll(life) ? 'dropped' : dice))
  }

  const nothing = {
    cuts,
    hits: 0,
    lostHits: 0,
    doubledHits: 0,
    touches: 0,
    doubledTouches: 0,
    oldestLostMs: [],
    damaged: [],
    unlike: [],
  }
  try {
    if (keepsSetUp) {
      const { console: first } = await start()
      await setUp(first)
      // Its decoys are open: the Bird is registered.
      await toucher.one(REDIS + offset, cuts)
      await first.stop()
    }
    for (let life = 0; life < cuts; life++) await liveUntilCut(life)
    const { console: last, disk } = await start()
    await drained(data, toucher, REDIS + offset, cuts)
    await last.stop()
    replay(disk, data, readJournals(journals))
    const unlike = differences(data, contentsAfter(disk, 'kept'))
    const judged = judge(data, answered, 0)
    const damaged = judged.integrity === 'ok' ? [] : [judged.integrity]
    return { cuts, ...measured, ...judged, ...judgeTouches(data, toucher, cutAt), damaged, unlike }
  } catch (error) {
    return { ...nothing, ...measured, damaged: [String((error as Error).stack).slice(0, 2_000)] }
  } finally {
    await console?.kill()
    removeFolder(folder)
  }
}

/** Console and Bird end at the same moment, with whatever they had not synced. */
async function cutPower(console: RunningConsole): Promise<void> {
  const birds = readFileSync(`/proc/${console.pid}/task/${console.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  const cut = console.kill()
  for (const pid of birds) kill(pid)
  await cut
  while (birds.some((pid) => existsSync(`/proc/${pid}/exe`)))
    await new Promise((resolve) => setTimeout(resolve, 1))
}

/** It may have ended with its console. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The spool keeps its order: when the console has a last touch, it has all that the Bird still had. */
async function drained(data: string, toucher: Toucher, port: number, life: number): Promise<void> {
  const last = await toucher.one(port, life)
  for (const until = performance.now() + DRAIN_MS; !storedTouches(data).has(last);) {
    if (performance.now() > until) throw new Error(`The Bird has not sent its spool within ${DRAIN_MS} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** How often each touch of the decoy is stored. */
const storedTouches = (data: string): Map<number, number> =>
  reading(data, (db) => {
    const rows = db
      .prepare(
        `SELECT CAST(substr(json_extract(body, '$.ARGS'), ${passwordOf(0).length}) AS INTEGER) AS number, count(*) AS n
         FROM incident_event WHERE json_extract(body, '$.CMD') = 'AUTH' GROUP BY 1`,
      )
      .all() as { number: number; n: number }[]
    return new Map(rows.map(({ number, n }) => [number, n]))
  })

function judgeTouches(data: string, { answeredAt }: Toucher, cutAt: readonly number[]) {
  const stored = storedTouches(data)
  const lost = [...answeredAt].filter(([number]) => !stored.has(number))
  const oldest = cutAt.map((cut, life) =>
    Math.max(
      0,
      ...lost.filter(([, at]) => at <= cut && at > (cutAt[life - 1] ?? 0)).map(([, at]) => cut - at),
    ),
  )
  return {
    touches: answeredAt.size,
    doubledTouches: [...stored.values()].filter((n) => n > 1).length,
    oldestLostMs: oldest.filter((_, life) => dropsAll(life)),
  }
}
