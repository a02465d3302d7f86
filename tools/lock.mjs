// One run at a time over a folder: a lock file that a crashed holder cannot keep.
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const BEAT_MS = 2_000
const SILENT_MS = 30_000

/**
 * Runs `work` while holding the lock at `path`; waits as long as another living run holds it.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 */
export async function holding(path, work) {
  const own = `${process.pid} ${Math.random()}`
  let isAnnounced = false
  while (!take(path, own)) {
    if (isAbandoned(path)) discard(path)
    else {
      if (!isAnnounced)
        process.stderr.write(`Waiting for another run that is preparing this clone (${path}) …\n`)
      isAnnounced = true
      await pause(200)
    }
  }
  const beat = setInterval(() => touch(path), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if (read(path) === own) rmSync(path, { force: true })
  }
}

/**
 * @param {string} path
 * @param {string} own
 */
function take(path, own) {
  try {
    writeFileSync(path, own, { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}

/**
 * The holder is gone, or has not given a sign for half a minute (its pid may be another process by now).
 * @param {string} path
 */
function isAbandoned(path) {
  const holder = read(path)
  if (holder === undefined) return false
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age > SILENT_MS) return true
  const pid = Number(holder.split(' ')[0])
  if (!pid) return age > BEAT_MS
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH'
  }
}

/**
 * Of two runs that find the same abandoned lock, the slower must not remove the faster one's new lock.
 * @param {string} path
 */
function discard(path) {
  const seen = read(path)
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (read(aside) !== seen) linkSync(aside, path)
  } catch {
    // Somebody else was faster: the next look decides.
  }
  rmSync(aside, { force: true })
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Removed under us: the finishing run looks whose it is.
  }
}
