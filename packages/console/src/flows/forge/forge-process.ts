// Starts the forge process and gives it jobs: one at a time, each answered or ended with a reason.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { ForgedFile } from '@rookery/tokens/forge.ts'
import type { ForgeJob, ForgeReply, LoadKind } from './messages.ts'

export interface ForgeProcess {
  /**
   * The file. Rejects with the kind's own `Fault`, with `ForgeEnded` when the process ends before it answers, and with an
   * `Error` for a fault of the kind's code.
   */
  run(job: ForgeJob): Promise<ForgedFile>
  /** Resolves once it takes jobs, or has ended. */
  readonly ready: Promise<void>
  /** Loads the forge of a kind, for the jobs that follow. */
  load(kind: string): void
  /** Whether it can be given a job. */
  isAlive(): boolean
  /** Ends it at once; a job that runs is rejected. */
  end(): void
}

/** Why there is no file: the process took too much memory or processor time, or ended for a reason of its own. */
export class ForgeEnded extends Error {
  readonly reason: 'memory' | 'work' | 'broken'

  constructor(reason: ForgeEnded['reason'], message: string) {
    super(message)
    this.name = 'ForgeEnded'
    this.reason = reason
  }
}

/** Memory of the process that makes files; beyond it the process is ended, and the request refused. */
export const FORGE_BYTES = limit('forge_process_bytes', 160 * 1024 * 1024)

/** By the signals with which the guard ends its process. */
const REASONS: ReadonlyMap<string | null, ForgeEnded['reason']> = new Map([
  ['SIGUSR2', 'memory'],
  ['SIGALRM', 'work'],
])

/** Run from source, Node's own reader of TypeScript takes so much more. */
const SOURCE_BYTES = 64 * 1024 * 1024

/** `maxBytes`: what the process may take, itself included. */
export function startForgeProcess(maxBytes = FORGE_BYTES.max): ForgeProcess {
  const child = forkForge(maxBytes)
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  let pending: PromiseWithResolvers<ForgedFile> | undefined

  const settle = (): PromiseWithResolvers<ForgedFile> | undefined => {
    const settled = pending
    pending = undefined
    return settled
  }
  const isAlive = (): boolean => child.connected && child.exitCode === null && child.signalCode === null
  child.on('message', (reply: ForgeReply) => {
    if (reply.type === 'ready') return isReady()
    const job = settle()
    switch (reply.type) {
      case 'forged':
        return job?.resolve(reply.file)
      case 'refused':
        return job?.reject(new Fault(reply.code, reply.message, { details: reply.details }))
      case 'failed':
        return job?.reject(new Error(`A forge failed: ${reply.stack}`))
    }
  })
  child.on('error', (error) => {
    isReady()
    settle()?.reject(new ForgeEnded('broken', error.message))
  })
  child.once('exit', (code, signal) => {
    isReady()
    const reason = REASONS.get(signal) ?? 'broken'
    if (reason === 'memory') FORGE_BYTES.hit()
    settle()?.reject(new ForgeEnded(reason, `The forge process ended (${signal ?? `exit code ${code}`}).`))
  })

  return {
    run(job) {
      if (!isAlive()) return Promise.reject(new ForgeEnded('broken', 'The forge process did not start.'))
      pending = Promise.withResolvers()
      const { promise } = pending
      // A process that has just ended takes no message: its exit says so.
      child.send(job, () => undefined)
      return promise
    },
    ready,
    load: (kind) => void child.send({ load: kind } satisfies LoadKind, () => undefined),
    isAlive,
    end: () => void child.kill('SIGKILL'),
  }
}

/** It may read files, for its own code, but write none, start nothing, and see no variable of the console. */
function forkForge(maxBytes: number): ChildProcess {
  const type = import.meta.url.endsWith('.mjs') ? 'mjs' : 'ts'
  const path = fileURLToPath(new URL(`./forge.process.${type}`, import.meta.url))
  const child = fork(path, [String(maxBytes + (type === 'ts' ? SOURCE_BYTES : 0))], {
    execArgv: [
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--expose-gc',
      '--max-semi-space-size=2',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
    ],
    // Large buffers go back to the system when they are freed (docs/decisions/0019).
    env: { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  return child
}
