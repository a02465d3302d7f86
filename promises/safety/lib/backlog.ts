// G7: a console is gone for three days while visitors touch the decoys of its Bird, and the Bird is killed again and again.
// The console runs in this process, so that its clock can be moved; the Bird is a process of its own.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { openConsole, type Console } from '@rookery/console/build.ts'
import { readConfig } from '@rookery/console/config/config.ts'
import { systemWorld } from '@rookery/console/world/system.ts'
import { ADMIN, UNMETERED } from '../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { DECOY_PORTS } from '../../rig/scenes/local-bird.ts'
import { freeOffset, freePort } from '../../../tools/free-port.ts'
import { openVisitors, type Visitors } from './backlog-visitors.ts'
import type { Dice } from './dice.ts'
import { judgeBacklog, storedTouches, type JudgedBacklog } from './judge-backlog.ts'

/** What a Bird is started with. */
export interface BacklogBird {
  readonly consoleUrl: string
  readonly enrol?: string
  readonly dataDir: string
  readonly portOffset: number
  readonly clockOffMs: number
}

export interface Backlog extends JudgedBacklog {
  readonly answered: number
  readonly kills: number
  /** Alerts of the console's first minutes: summaries of a backlog, and any others. */
  readonly summaries: number
  readonly otherAlerts: number
  readonly drainSeconds: number
}

export interface BacklogOptions {
  readonly events: number
  readonly dice: Dice
  /** How often the Bird is started and killed meanwhile. */
  readonly lives?: number
  /** How long no other alert may come behind the summary. */
  readonly silenceMs?: number
  readonly onKill?: (done: number) => void
}

const HOUR_MS = 3_600_000
const OUTAGE_HOURS = 72
const REDIS = 6379
const DRAIN_MS = 240_000
/** A backlog's summary waits for 5 s of silence, and for a minute at most. */
const SUMMARY_MS = 75_000

export async function outlastAbsence(options: BacklogOptions): Promise<Backlog> {
  const { events, dice, lives = 12, silenceMs = 8_000, onKill } = options
  const folder = freshFolder()
  const data = join(folder, 'console')
  const portOffset = await freeOffset(DECOY_PORTS)
  const listen = `127.0.0.1:${await freePort()}`
  const alerts: string[] = []
  const visitors = openVisitors(REDIS + portOffset)
  let console: Console | undefined
  let bird: ChildProcess | undefined
  const startBird = (clockOffMs: number, enrol?: string): ChildProcess => {
    bird = openBird({
      consoleUrl: `http://${listen}`,
      dataDir: join(folder, 'bird'),
      portOffset,
      clockOffMs,
      ...(enrol !== undefined && { enrol }),
    })
    return bird
  }
  try {
    console = await open(data, listen, 0, alerts)
    await addReceiver(console)
    startBird(0, await console.enrolLocalBird())
    await visitors.visit({ life: 0, count: 1 })
    await until(() => storedTouches(data).length > 0, DRAIN_MS)
    await console.stop()
    await ended(bird)
    alerts.splice(0)

    // The first begins an hour into the outage, the last ends an hour before its end: all of it is late.
    for (let life = 1; life <= lives; life++) {
      const offMs = Math.round(HOUR_MS * (1 + ((OUTAGE_HOURS - 2) * (life - 1)) / (lives - 1)))
      const current = startBird(offMs)
      await visitors.visit({ life, count: Math.ceil(events / lives), offMs }, async () => {
        await pause(dice.between(0, 20))
        await ended(current)
      })
      onKill?.(life)
    }

    startBird(OUTAGE_HOURS * HOUR_MS)
    const backAt = performance.now()
    console = await open(data, listen, OUTAGE_HOURS * HOUR_MS, alerts)
    // Once more in the middle of its sending.
    await until(() => storedTouches(data).length > visitors.answered.size / 2, DRAIN_MS)
    await ended(bird)
    startBird(OUTAGE_HOURS * HOUR_MS)
    await until(() => hasAll(data, visitors), DRAIN_MS)
    const drainSeconds = (performance.now() - backAt) / 1_000
    await until(() => alerts.length > 0, SUMMARY_MS)
    await pause(silenceMs)
    const summaries = alerts.filter((description) => description === 'Backlog of a Bird').length
    return {
      ...judgeBacklog(data, visitors),
      answered: visitors.answered.size,
      kills: lives + 1,
      summaries,
      otherAlerts: alerts.length - summaries,
      drainSeconds,
    }
  } finally {
    visitors.stop()
    await ended(bird)
    await console?.stop()
    removeFolder(folder)
  }
}

function open(data: string, listen: string, offMs: number, alerts: string[]): Promise<Console> {
  const system = systemWorld({
    send(request) {
      const { Description } = JSON.parse(request.body ?? '{}') as { Description?: string }
      alerts.push(Description ?? '')
      return Promise.resolve({ status: 204, headers: {}, body: '' })
    },
  })
  return openConsole({
    config: readConfig({
      ROOKERY_DATA_DIR: data,
      ROOKERY_LISTEN: listen,
      ROOKERY_BOOTSTRAP_KEY: ADMIN,
      ...UNMETERED,
      // A summary waits for a minute at most: the whole backlog must be there by then.
      ROOKERY_BIRD_EVENTS_PER_SECOND: '1000000',
    }),
    world: { ...system, clock: { ...system.clock, now: () => system.clock.now() + offMs } },
    log: pino({ level: 'silent' }),
    parts: ['api', 'link'],
  })
}

function openBird(given: BacklogBird): ChildProcess {
  const child = fork(join(import.meta.dirname, 'backlog-bird.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  child.send(given)
  return child
}

/** SIGKILL, and waits for the end. */
async function ended(bird: ChildProcess | undefined): Promise<void> {
  if (!bird || bird.exitCode !== null || bird.signalCode !== null) return
  const gone = once(bird, 'exit')
  bird.kill('SIGKILL')
  await gone
}

async function addReceiver(console: Console): Promise<void> {
  const response = await fetch(`${console.apiUrl ?? ''}/api/v1/flock/settings/webhooks/generic/add`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ADMIN },
    body: new URLSearchParams({ flock_id: 'flock:default', url: 'https://alerts.example.com/' }),
  })
  if (!response.ok) throw new Error(`The receiver was refused: ${await response.text()}`)
}

function hasAll(data: string, { answered }: Visitors): boolean {
  const stored = new Set(storedTouches(data).map(({ number }) => number))
  return [...answered.keys()].every((number) => stored.has(number))
}

/** Until the claim is true, or for so long that the figures may say what is missing. */
async function until(claim: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; !claim() && performance.now() < end;) await pause(200)
}
