// Starts Birds for tests, and takes them down again.
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runBird } from '../src/agent.ts'
import type { BirdOptions, BirdState, RunningBird } from '../src/options.ts'
import { lineService } from './line-service.ts'
import { testConsole, type TestConsole } from './console.ts'

export const lineSettings = { 'line.enabled': true, 'line.port': 6379, 'device.name': 'till-3' }

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bird-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function consoleForTest(...args: Parameters<typeof testConsole>): Promise<TestConsole> {
  const made = await testConsole(...args)
  onTestFinished(() => made.stop())
  return made
}

export interface TestBird extends RunningBird {
  readonly logs: string[]
  /** Resolves with the first state, from now on or already, that fits. */
  when(claim: (state: BirdState) => boolean): Promise<BirdState>
}

export async function birdForTest(options: Partial<BirdOptions> & { consoleUrl: string }): Promise<TestBird> {
  const logs: string[] = []
  let watchers: ((state: BirdState) => void)[] = []
  const bird = await runBird({
    dataDir: options.dataDir ?? temporaryFolder(),
    bind: '127.0.0.1',
    portOffset: 'any',
    services: { line: lineService },
    log: (_level, message) => void logs.push(message),
    maxBackoffMs: 300,
    onChange: (state) => {
      const told = watchers
      watchers = []
      told.forEach((watch) => watch(state))
    },
    ...options,
  })
  onTestFinished(() => bird.stop())
  const when = (claim: (state: BirdState) => boolean): Promise<BirdState> =>
    new Promise((resolve) => {
      const watch = (state: BirdState): void => (claim(state) ? resolve(state) : void watchers.push(watch))
      watch(bird.state())
    })
  return { ...bird, logs, when }
}

/** Sends lines to the Bird's line decoy, one after another, and resolves when each was answered. */
export async function touch(port: number, ...lines: string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (const line of lines) {
    socket.write(`${line}\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (answer.toString() !== `ok ${line}\n`) throw new Error(`answered ${answer.toString()}`)
  }
  socket.destroy()
}

/** Where the Bird's first decoy really listens. */
export const portOf = (bird: { state(): { listening: readonly { boundPort: number }[] } }) =>
  bird.state().listening[0]!.boundPort

/** A console and a Bird that it has commissioned, with its settings in force. */
export async function registered(settings: object = lineSettings) {
  const console = await consoleForTest()
  console.isCommissioned = true
  console.offer(settings)
  const dataDir = temporaryFolder()
  const bird = await birdForTest({ consoleUrl: console.url, dataDir })
  await console.frame('SETTINGS_APPLIED')
  return { console, bird, dataDir }
}
