// What `rookery doctor`, a process of its own, knows of the background work of a console that runs: a file of each minute.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { task } from '../background/task.ts'
import type { OpenContext } from '../open-context.ts'
import { examineTasks } from './examine-tasks.ts'
import type { Finding } from './finding.ts'

const EVERY_MS = 60_000
/** A console that works has written many times since. */
const OLD_MS = 900_000
const TASK = task('task_report', EVERY_MS, 'Writes for `rookery doctor` which tasks are late')

/** Answers how it is stopped; a console that is stopped leaves no report. */
export function openTaskReport(
  { background, world, log }: Pick<OpenContext, 'background' | 'world' | 'log'>,
  path: string,
): () => Promise<void> {
  const { clock } = world
  const loop = background.loop(TASK, {
    clock,
    async run() {
      const findings = examineTasks(background.statuses(), clock.now())
      await writeFile(`${path}.draft`, JSON.stringify(findings), { mode: 0o600 })
      await rename(`${path}.draft`, path)
      return clock.now() + EVERY_MS
    },
    onError(err) {
      log.warn({ err, path }, 'could not write which background tasks are late')
      return EVERY_MS
    },
  })
  loop.wake()
  return async () => {
    await loop.stop()
    rmSync(path, { force: true })
  }
}

/** Nothing where no console runs. `now` is this machine's time, as the file's. */
export function examineTaskReport(path: string, now: number): Finding[] {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file) return []
  if (now - file.mtimeMs < OLD_MS) return JSON.parse(readFileSync(path, 'utf8')) as Finding[]
  const text = `the console last wrote ${path} at ${file.mtime.toISOString()}: it hangs, or was killed; see the log, and start it anew`
  return [{ ok: false, about: 'background', text }]
}
