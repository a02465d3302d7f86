// The watchdog's thread: looks at the main thread's stamp, and ends the process when that computes without an end.
import { writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { writeLogLine } from '../log-line.ts'
import { step, type Silence } from './step.ts'
import { readMainThread } from './thread-stat.ts'
import type { Watch } from './watchdog.ts'
import { whereItStands } from './where-it-stands.ts'

const { stamps, silenceMs, lookMs, noteFile } = workerData as Watch
let silence: Silence | undefined

const timer = setInterval(() => {
  const thread = readMainThread()
  if (!thread) return
  const look = { nowMs: performance.now(), stamp: Atomics.load(stamps, 0), ...thread }
  const judgement = step(silence, look, silenceMs)
  const { verdict } = judgement
  silence = judgement.silence
  const silent = seconds(judgement.silentMs)
  const computed = seconds(judgement.computedMs)
  switch (verdict) {
    case 'end':
      clearInterval(timer)
      return void end(`its main thread computed for ${computed} and answered nothing for ${silent}`)
    case 'report':
      return writeLogLine(
        'warning',
        `The main thread has answered nothing for ${silent}. It computed for ${computed} of it, so it waits, such as for a disk: it is left alone.`,
      )
    case 'over':
      return writeLogLine('warning', `The main thread answers again, after ${silent}.`)
    case undefined:
      return
  }
}, lookMs)

async function end(why: string): Promise<void> {
  const where = await whereItStands()
  const reason = where === undefined ? why : `${why}, in ${where}`
  writeLogLine('error', `The watchdog ends this process: ${reason}.`)
  try {
    if (noteFile !== undefined) writeFileSync(noteFile, reason)
  } catch {
    // The log has the reason.
  }
  process.kill(process.pid, 'SIGKILL')
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
