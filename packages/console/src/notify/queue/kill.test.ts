import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../test/own-folder.ts'
import { openReceiver } from '../../../test/receiver.ts'

const child = join(import.meta.dirname, '../../../test/raise-incident-child.ts')

/** Starts a console; `lines` are what it printed. */
function start(...args: string[]): {
  process: ChildProcess
  lines: string[]
  ready: Promise<void>
  ended: Promise<void>
} {
  const process_ = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void process_.kill('SIGKILL'))
  const lines: string[] = []
  const ended = new Promise<void>((resolve) => process_.once('close', () => resolve()))
  const ready = new Promise<void>((resolve) =>
    createInterface({ input: process_.stdout }).on('line', (line) =>
      line === 'ready' ? resolve() : lines.push(line),
    ),
  )
  return { process: process_, lines, ready, ended }
}

it('alerts of a console that was killed are all sent after the next start, repeats under their id', async () => {
  const folder = ownFolder()
  const receiver = await openReceiver()
  const killed = start(folder, receiver.url, '100000')
  await killed.ready
  await receiver.tries(150)
  killed.process.kill('SIGKILL')
  await killed.ended

  const again = start(folder, receiver.url, '0')
  await again.ready
  const received = () => new Set(receiver.alerts.map(({ json }) => json['SourceIP']))
  await expect.poll(() => killed.lines.filter((source) => !received().has(source))).toEqual([])
  const idsOf = new Map<unknown, Set<string>>()
  for (const { id, json } of receiver.alerts) {
    const source = json['SourceIP']
    idsOf.set(source, (idsOf.get(source) ?? new Set<string>()).add(id))
  }
  expect([...idsOf.values()].filter((ids) => ids.size !== 1)).toEqual([])
})
