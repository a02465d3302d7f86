// The workers of Apache's mpm_event, as Debian configures them (mpm_event.conf): processes of 25 threads. A connection has a
// worker from its first bytes on until it is answered; a client that keeps it alive waits at the process without one. Each
// source meets workers of its own, so that one that holds all of them hides no other from the Bird.
import type { SessionContext } from '../../../../session/session.ts'
import type { Seat } from '../../protocol/web-server.ts'

/** ThreadsPerChild, StartServers, MaxRequestWorkers; MinSpareThreads and MaxSpareThreads. */
const THREADS = 25
const PROCESSES = { atStart: 2, most: 150 / THREADS }
const SPARE = { least: 25, most: 75 }
/** The parent looks at its processes so often. */
const LOOK_MS = 1_000
/** It starts twice as many processes each time, up to so many. */
const MAX_STARTS = 32

interface Process {
  busy: number
  readonly kept: Set<Place>
  /** It ends once its workers have answered. */
  isEnding: boolean
}

interface Place {
  readonly wake: () => void
  status: Seat['status']
  /** Of its worker, or where it is kept. */
  process: Process | undefined
}

interface Pool {
  readonly processes: Process[]
  readonly places: Set<Place>
  /** In the order of their arrival: accepted by nobody yet, or kept alive by a process without an idle worker. */
  readonly line: Set<Place>
  /** Processes that the parent starts next time. */
  starts: number
  looksAt: number
}

/** By Bird and source. */
const pools = new WeakMap<SessionContext['derive'], Map<string, Pool>>()

/** A place for this connection; undefined without a host, which wakes it. */
export function takeSeat({ derive, src, now, wakeSoon }: SessionContext): Seat | undefined {
  if (!wakeSoon) return undefined
  const ofBird = pools.get(derive) ?? new Map<string, Pool>()
  pools.set(derive, ofBird)
  const pool = ofBird.get(src.host) ?? newPool(now())
  ofBird.set(src.host, pool)
  const place: Place = { wake: wakeSoon, status: 'away', process: undefined }
  pool.places.add(place)
  return {
    get status() {
      return place.status
    },
    work: (at) => work(pool, place, at),
    keep(at) {
      look(pool, at)
      if (place.status === 'working') release(pool, place, 'kept')
    },
    leave(at) {
      look(pool, at)
      pool.places.delete(place)
      release(pool, place, 'away')
      if (pool.places.size === 0 && ofBird.get(src.host) === pool) ofBird.delete(src.host)
    },
    isLast: () => place.process?.isEnding === true,
    look: (at) => look(pool, at),
    looksInMs(at) {
      const mayEnd = place.status === 'kept' && pool.processes.length * THREADS > SPARE.most
      return mayEnd || place.status === 'waiting' ? Math.max(1, pool.looksAt - at) : undefined
    },
  }
}

const newPool = (now: number): Pool => ({
  processes: Array.from({ length: PROCESSES.atStart }, newProcess),
  places: new Set(),
  line: new Set(),
  starts: 1,
  // The parent has started long before.
  looksAt: now - (now % LOOK_MS) + LOOK_MS,
})

const newProcess = (): Process => ({ busy: 0, kept: new Set(), isEnding: false })

/** What the parent has done by now. */
function look(pool: Pool, now: number): void {
  // Nothing changes any more after so many looks; and the clock may be set back.
  for (let left: number = PROCESSES.most; left > 0 && pool.looksAt <= now; left -= 1) {
    keepProcesses(pool)
    pool.looksAt += LOOK_MS
  }
  if (pool.looksAt <= now || pool.looksAt > now + LOOK_MS) pool.looksAt = now + LOOK_MS
}

function keepProcesses(pool: Pool): void {
  const { processes, starts } = pool
  const idle = processes.reduce((sum, { busy }) => sum + THREADS - busy, 0)
  // The one that has waited longest for such a word from its parent.
  const oldest = processes[0]
  if (idle > SPARE.most && oldest) endProcess(pool, oldest)
  pool.starts = idle < SPARE.least ? Math.min(MAX_STARTS, starts * 2) : 1
  if (idle >= SPARE.least) return
  const added = Math.min(starts, PROCESSES.most - processes.length)
  processes.push(...Array.from({ length: added }, newProcess))
  admit(pool)
}

function endProcess(pool: Pool, process: Process): void {
  const { processes, line } = pool
  process.isEnding = true
  processes.splice(processes.indexOf(process), 1)
  endKept(process)
  for (const place of line)
    if (place.process === process) {
      line.delete(place)
      endPlace(place)
    }
}

function endKept({ kept }: Process): void {
  for (const place of kept) endPlace(place)
  kept.clear()
}

function endPlace(place: Place): void {
  place.process = undefined
  place.status = 'ended'
  place.wake()
}

function work(pool: Pool, place: Place, now: number): void {
  look(pool, now)
  if (place.status !== 'kept' && place.status !== 'away') return
  place.process?.kept.delete(place)
  const process = place.process ?? idlest(pool)
  if (process.busy < THREADS && (place.process || pool.line.size === 0)) return occupy(place, process)
  place.status = 'waiting'
  pool.line.add(place)
}

function admit(pool: Pool): void {
  for (const place of pool.line) {
    const process = place.process ?? idlest(pool)
    if (process.busy >= THREADS) continue
    pool.line.delete(place)
    occupy(place, process)
    // A process without an idle worker ends what it keeps alive.
    endKept(process)
    place.wake()
  }
}

function occupy(place: Place, process: Process): void {
  process.busy += 1
  place.process = process
  place.status = 'working'
}

function release(pool: Pool, place: Place, next: 'kept' | 'away'): void {
  const { process } = place
  if (place.status === 'working' && process) process.busy -= 1
  process?.kept.delete(place)
  pool.line.delete(place)
  place.status = next
  place.process = next === 'kept' ? process : undefined
  if (next === 'kept' && process?.isEnding) endPlace(place)
  else if (next === 'kept') process?.kept.add(place)
  admit(pool)
}

const idlest = ({ processes }: Pool): Process =>
  processes.reduce((best, process) => (process.busy < best.busy ? process : best))
