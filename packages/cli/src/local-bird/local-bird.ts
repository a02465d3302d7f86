// The local Bird of `rookery up`, in a process of its own: what floods its decoys takes nothing from tokens and alerts.
import { fork, type ChildProcess } from 'node:child_process'
import type { BirdState, Level } from '@rookery/bird/options.ts'
import { environment, type Environment } from '@rookery/console/config/config.ts'
import { BIRD_FLAGS, CONSOLE_FLAGS } from '../../bin/node-settings.mjs'
import { restartDelay } from './restart-delay.ts'
import type { FromBird, Start, ToBird } from './messages.ts'

export interface LocalBirdOptions extends Omit<Start, 'type' | 'enrol'> {
  /** Makes an enrolment code of the console; called until the Bird is registered. */
  readonly enrol: () => Promise<string>
  readonly log: (level: Level, message: string) => void
  readonly onState: (state: BirdState) => void
  /** The process ended, or the Bird could not start; it is started again. */
  readonly onFailure: (reason: string) => void
}

export const LOCAL_BIRD_COMMAND = 'local-bird'
const STOP_MS = 4_000

/** Starts the process, and again with growing pauses whenever it fails; not when the console ended the Bird. */
export function openLocalBird(options: LocalBirdOptions) {
  const { enrol, log, onState, onFailure, ...where } = options
  let child: ChildProcess | undefined
  let restart: NodeJS.Timeout | undefined
  let isStopping = false
  let isRegistered = false

  async function start(delayMs: number): Promise<void> {
    const code = isRegistered ? undefined : await enrol()
    if (isStopping) return
    const startedAt = performance.now()
    const current = forkBird()
    child = current
    let reason: string | undefined
    let hasEnded = false
    current.on('message', (message: FromBird) => {
      switch (message.type) {
        case 'log':
          return log(message.level, message.message)
        case 'state':
          isRegistered ||= message.state.phase === 'registered'
          return onState(message.state)
        case 'failed':
          return void (reason = message.reason)
        case 'ended':
          return void (hasEnded = message.phase !== 'stopped')
      }
    })
    current.on('error', (error) => log('error', `the process of the local Bird: ${error.message}`))
    current.once('exit', (exitCode, signal) => {
      child = undefined
      if (isStopping || hasEnded) return
      const next = restartDelay(delayMs, performance.now() - startedAt)
      onFailure(reason ?? `Its process ended (${signal ?? `exit code ${exitCode}`}).`)
      restart = setTimeout(() => begin(next), next)
    })
    send(current, { type: 'start', enrol: code, ...where })
  }

  function begin(delayMs: number): void {
    start(delayMs).catch((error: unknown) => {
      // Without a code there is no Bird yet: the database may be away for a while.
      if (isStopping) return
      const next = restartDelay(delayMs, 0)
      onFailure((error as Error).message)
      restart = setTimeout(() => begin(next), next)
    })
  }
  begin(0)

  return {
    /** Resolves once the process has ended, within 4 s. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(restart)
      if (!child) return
      const current = child
      const ended = new Promise((resolve) => current.once('exit', resolve))
      send(current, { type: 'stop' })
      const timer = setTimeout(() => current.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

export type LocalBird = ReturnType<typeof openLocalBird>

/** The same program once more, without a debugger's port, and without the secrets of the console: strangers talk to it. */
const forkBird = (): ChildProcess =>
  fork(process.argv[1] ?? '', [LOCAL_BIRD_COMMAND], {
    env: withoutOptions(environment()),
    execArgv: [...process.execArgv.filter(isForBirds), ...BIRD_FLAGS],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

const isForBirds = (flag: string): boolean => !flag.startsWith('--inspect') && !CONSOLE_FLAGS.includes(flag)

/** What it needs of the console's options comes with the message that starts it; `PG…` are those of libpq. */
const withoutOptions = (given: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !/^(ROOKERY_|PG)/.test(name)))

/** A process that has just ended takes no message: its exit says so. */
const send = (child: ChildProcess, message: ToBird): void => void child.send(message, () => undefined)
