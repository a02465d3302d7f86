// Starts Birds for tests, and stops them when the test ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runBird } from '../src/run-bird.ts'
import type { BirdOptions, BirdState, RunningBird } from '../src/options.ts'
import { lineService } from './line-service.ts'
import { testConsole, type TestConsole } from './test-console.ts'

export const lineSettings = { 'line.enabled': true, 'line.port': 6379, 'device.name': 'till-3' }

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bird-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function startTestConsole(...args: Parameters<typeof testConsole>): Promise<TestConsole> {
  const console = await testConsole(...args)
  onTestFinished(() => console.stop())
  return console
}

export interface TestBird extends RunningBird {
  readonly logs: string[]
  /** Resolves with the first state for which the predicate is true: the present one, or a later one. */
  when(predicate: (state: BirdState) => boolean): Promise<BirdState>
}

export async function startTestBird(
  options: Partial<BirdOptions> & { consoleUrl: string },
): Promise<TestBird> {
  const logs: string[] = []
  let waiters: ((state: BirdState) => void)[] = []
  const bird = await runBird({
    dataDir: options.dataDir ?? temporaryFolder(),
    bind: '127.0.0.1',
    portOffset: 'any',
    services: { line: lineService },
    log: (_level, message) => logs.push(message),
    maxBackoffMs: 300,
    onChange: (state) => {
      const called = waiters
      waiters = []
      called.forEach((check) => check(state))
    },
    ...options,
  })
  onTestFinished(() => bird.stop())
  const when = (predicate: (state: BirdState) => boolean): Promise<BirdState> =>
    new Promise((resolve) => {
      const check = (state: BirdState): unknown => (predicate(state) ? resolve(state) : waiters.push(check))
      check(bird.state())
    })
  return { ...bird, logs, when }
}

/** Sends lines to the Bird's line decoy, one after another, and resolves when each was answered. */
export async function sendLines(port: number, ...lines: string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (const line of lines) {
    socket.write(`${line}\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (answer.toString() !== `ok ${line}\n`) throw new Error(`answered ${answer.toString()}`)
  }
  socket.destroy()
}

/** The port that the Bird's first decoy has bound. */
export const portOf = (bird: { state(): { listening: readonly { boundPort: number }[] } }) =>
  bird.state().listening[0]!.boundPort

/** A console and a Bird that it has commissioned, with its settings in force. */
export async function startRegisteredBird(settings: object = lineSettings) {
  const console = await startTestConsole()
  console.isCommissioned = true
  console.offer(settings)
  const dataDir = temporaryFolder()
  const bird = await startTestBird({ consoleUrl: console.url, dataDir })
  await console.frame('SETTINGS_APPLIED')
  return { console, bird, dataDir }
}
