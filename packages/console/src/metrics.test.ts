import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openTestConsole, type TestConsole } from '../test/test-console.ts'
import { openMetrics } from './metrics.ts'

const metrics = async ({ console: { apiUrl } }: TestConsole): Promise<string> =>
  (await fetch(`${apiUrl}/metrics`)).text()

it('a limit that is met is counted under its name', async () => {
  const rookery = await openTestConsole()
  const hits = async (): Promise<number> => {
    const line = /^rookery_limit_hits_total\{limit="auth_unknown_keys_per_minute"\} (\d+)$/m
    return Number(line.exec(await metrics(rookery))?.[1])
  }
  const guess = (key: number) => rookery.get('/ping', {}, key.toString(16).padStart(32, '0'))
  for (let key = 0; key < 20; key++) expect((await guess(key)).status).toBe(401)
  const before = await hits()
  for (let key = 20; key < 23; key++) expect((await guess(key)).status).toBe(429)
  expect((await hits()) - before).toBe(3)
})

it('docs/metrics.md lists every metric that is its own', async () => {
  const text = await metrics(await openTestConsole())
  const served = Array.from(text.matchAll(/^# TYPE (rookery_\w+)/gm), ([, name]) => name)
  const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8')
  expect(Array.from(page.matchAll(/^\| `(rookery_\w+)/gm), ([, name]) => name).sort()).toEqual(served.sort())
})

it.each(['grafana/rookery.json', 'prometheus/rookery.rules.yml'])(
  'deploy/%s asks for metrics that are served',
  async (file) => {
    const sample = readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
    const asked = new Set(sample.match(/\b(?:rookery|process|nodejs)_\w+/g))
    expect(asked.size).toBeGreaterThan(3)
    const text = await metrics(await openTestConsole())
    const served = new Set(Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name))
    expect([...asked].filter((name) => !served.has(name))).toEqual([])
  },
)

const QUIET = {
  touchesWaiting: () => 0,
  touchesNotDurable: () => 0,
  diskFull: () => false,
  decoysNotStanding: () => Promise.resolve(0),
  tasks: () => [],
  now: () => 0,
}

it('consoles of one process count apart, and watch the process once', async () => {
  const [first, second] = [openMetrics(QUIET), openMetrics(QUIET)]
  first.raised(2)
  expect(await first.registry.metrics()).toContain('\nrookery_incidents_raised_total 2\n')
  expect(await second.registry.metrics()).toContain('\nrookery_incidents_raised_total 0\n')
  for (const name of ['nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_seconds']) {
    const metric = first.registry.getSingleMetric(name)
    expect(metric).toBeDefined()
    expect(second.registry.getSingleMetric(name)).toBe(metric)
  }
})
