// Jobs for a process of their own, which answers each with its result (`serve-jobs.ts`).
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { makeYield, pin } from '../cores.ts'

export interface Jobs<J, R> {
  /** One job at a time. */
  run(job: J): Promise<R>
  stop(): void
}

/** Starts a program of this folder; pinned to a core, if one is named, which it may leave to others. */
export function openJobs<J extends object, R>(program: string, core?: number, yields = false): Jobs<J, R> {
  const child = fork(join(import.meta.dirname, program), {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  if (core !== undefined) pin(child.pid ?? 0, core)
  if (yields) makeYield(child.pid ?? 0)
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null): void => reject(new Error(`${program} ended with ${code}.`))
        child.once('exit', ended)
        child.once('message', (result: R) => {
          child.off('exit', ended)
          resolve(result)
        })
        child.send(job)
      }),
    stop: () => void child.disconnect(),
  }
}

/** One job, in a process that ends with it. */
export async function runJob<J extends object, R>(program: string, core: number, job: J): Promise<R> {
  const jobs = openJobs<J, R>(program, core)
  try {
    return await jobs.run(job)
  } finally {
    jobs.stop()
  }
}
