import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { openTestConsole } from '../../test/test-console.ts'
import { examineTasks } from '../maintenance/examine-tasks.ts'
import { openBackground, type Background } from './background.ts'
import { declaredTasks, task } from './task.ts'

const SOURCE = new URL('../', import.meta.url)
const SWEEP = task('test_sweep', 60_000, 'Sweeps')

const texts = (background: Background, now: number): string[] =>
  examineTasks(background.statuses(), now).map(({ text }) => text)

it('a task that succeeds is on time; one that fails, hangs or is never called again is found late', async () => {
  const clock = manualClock()
  const background = openBackground(clock)
  let way: 'works' | 'fails' | 'hangs' = 'works'
  const loop = background.loop(SWEEP, {
    clock,
    async run() {
      if (way === 'hangs') await new Promise(() => undefined)
      if (way === 'fails') throw new Error('the table is gone')
      return clock.now() + 60_000
    },
    onError: () => 60_000,
  })
  const pass = async (minutes: number): Promise<void> => {
    for (let left = minutes; left > 0; left--) {
      clock.advance(60_000)
      await setImmediate()
    }
  }
  expect(texts(background, clock.now())).toEqual(['1 background tasks are on time'])
  loop.wake()
  await pass(40)
  expect(texts(background, clock.now())).toEqual(['1 background tasks are on time'])
  expect(background.statuses()).toMatchObject([{ errors: 0, lastSuccessAt: clock.now(), overdueMs: 0 }])
  way = 'fails'
  await pass(20)
  expect(texts(background, clock.now())).toEqual([
    expect.stringMatching(
      /test_sweep \(Sweeps\) is (19|20) min late and last succeeded 20 min ago: the table is gone/,
    ),
  ])
  expect(background.statuses()[0]?.errors).toBe(20)
  way = 'works'
  await pass(1)
  expect(background.statuses()).toMatchObject([{ lastError: '', overdueMs: 0 }])
  way = 'hangs'
  await pass(20)
  expect(texts(background, clock.now())).toEqual([expect.stringContaining('it does not end')])
})

it('metrics name each task of a console with its errors, its age and its delay', async () => {
  const rookery = await openTestConsole()
  const text = await (await fetch(`${rookery.console.apiUrl}/metrics`)).text()
  for (const name of ['housekeeping', 'liveness', 'configuration', 'heartbeats', 'bird_updates'])
    expect(text).toContain(`rookery_task_errors_total{task="${name}"} 0\n`)
  expect(text).toMatch(/^rookery_task_success_age_seconds\{task="configuration"\} \d/m)
  expect(text).toMatch(/^rookery_task_overdue_seconds\{task="housekeeping"\} \d/m)
})

it('README.md has a line for each task, and every loop of the console is a task', async () => {
  const lines: string[] = []
  const loops: string[] = []
  for await (const path of glob('**/*.ts', { cwd: SOURCE.pathname })) {
    if (path.endsWith('.test.ts')) continue
    const text = readFileSync(new URL(path, SOURCE), 'utf8')
    if (/\bworkerLoop\(|\bsetInterval\(/.test(text)) loops.push(path)
    if (!/\/background\/task\.ts'/.test(text)) continue
    await import(new URL(path, SOURCE).href)
    for (const [, name] of text.matchAll(/ = task\(\s*'(\w+)'/g))
      lines.push(line(String(name), path.replace(/\/[^/]*$/, '')))
  }
  // The guard of the forge's process has no console above it.
  expect(loops.sort()).toEqual(['background/background.ts', 'flows/forge/forge-guard.worker.ts'])
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  expect(readme.split('\n').filter((it) => it.startsWith('| `'))).toEqual(lines.sort())
})

function line(name: string, folder: string): string {
  const found = [...declaredTasks()].find((it) => it.name === name)
  if (!found) throw new Error(`${name} is not declared as its text says`)
  return `| \`${name}\` | ${period(found.everyMs)} | ${found.does} | \`${folder}\` |`
}

function period(ms: number | undefined): string {
  if (ms === undefined) return 'when woken'
  if (ms < 60_000) return `${ms / 1_000} s`
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
}
