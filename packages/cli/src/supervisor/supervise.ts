// Starts a program, and again when it ends by itself after a start that went well.
import { spawn, type ChildProcess } from 'node:child_process'
import { writeLogLine } from '../log-line.ts'
import { restartDelay } from '../local-bird/restart-delay.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** How a program ended: with an exit code, or by a signal. */
export type End = { readonly code: number } | { readonly signal: NodeJS.Signals }

export interface Started {
  readonly type: 'started'
}

/**
 * Runs `program` with the same standard streams. It says `started` over its IPC channel (child.ts) once it serves: before,
 * an end is final, since a wrong option does not become right. An end with 0 is final, and one after a signal to this process.
 */
export function supervise(program: string, args: readonly string[]): Promise<End> {
  return new Promise((resolve) => {
    let child: ChildProcess | undefined
    let hasServed = false
    let isStopping = false
    let restart: NodeJS.Timeout | undefined

    function start(delayMs: number): void {
      const startedAt = performance.now()
      // In a session of its own: a terminal signals its whole group, and each signal shall arrive once.
      child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true })
      child.on('message', ({ type }: Started) => (hasServed ||= type === 'started'))
      child.once('error', (error) => {
        writeLogLine('error', `${program} cannot be started: ${error.message}`)
        onEnd({ code: 1 })
      })
      child.once('exit', (code, signal) => onEnd(signal === null ? { code: code ?? 1 } : { signal }))

      function onEnd(end: End): void {
        child = undefined
        if (isStopping || !hasServed || ('code' in end && end.code === 0)) return resolve(end)
        const next = restartDelay(delayMs, performance.now() - startedAt)
        const how = 'code' in end ? `exit code ${end.code}` : end.signal
        writeLogLine('error', `The process ended (${how}); it starts again in ${next / 1000} s.`)
        restart = setTimeout(start, next, next)
      }
    }

    for (const signal of SIGNALS)
      process.on(signal, () => {
        isStopping = true
        if (child) return void child.kill(signal)
        clearTimeout(restart)
        resolve({ code: 0 })
      })
    start(0)
  })
}
