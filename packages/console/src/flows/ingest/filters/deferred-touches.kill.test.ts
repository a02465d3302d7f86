import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../../test/own-folder.ts'
import { ADMIN } from '../../../../test/test-console.ts'

const child = join(import.meta.dirname, '../../../../test/deferred-touches-child.ts')

/** Starts a console; `says` resolves with the nth line that it printed. */
function start(...args: string[]): {
  process: ChildProcess
  says: (nth: number) => Promise<string>
  ended: Promise<void>
} {
  const process_ = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void process_.kill('SIGKILL'))
  const lines: string[] = []
  const waiting: (() => void)[] = []
  createInterface({ input: process_.stdout }).on('line', (line) => {
    lines.push(line)
    for (const wake of waiting.splice(0)) wake()
  })
  return {
    process: process_,
    ended: new Promise((resolve) => process_.once('close', () => resolve())),
    async says(nth) {
      while (lines.length <= nth) await new Promise<void>((resolve) => waiting.push(resolve))
      return lines[nth] ?? ''
    },
  }
}

it('touches that waited for a name when the console was killed are raised by the next one, each once', async () => {
  const folder = ownFolder()
  const killed = start(folder, '50')
  expect(await killed.says(1)).toBe('stored')
  killed.process.kill('SIGKILL')
  await killed.ended

  const again = start(folder)
  const url = `${await again.says(0)}/api/v1/incidents/all?node_id=00000000000000aa`
  const counts = async (): Promise<string[]> => {
    const answer = await fetch(url, { headers: { 'X-Auth-Token': ADMIN } })
    const { incidents } = (await answer.json()) as { incidents: { description: { events_count: string } }[] }
    return incidents.map(({ description }) => description.events_count)
  }
  await expect.poll(counts).toEqual(Array<string>(10).fill('5'))
})
