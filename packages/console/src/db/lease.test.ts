import { pino } from 'pino'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { openProxy } from '../../test/postgres-proxy.ts'
import { openTestConsole, freshDatabase, type TestConsoleOptions } from '../../test/test-console.ts'
import { systemClock } from '../world/system.ts'

const AHEAD_MS = 200_000
const LEASE_MS = 5_000

const clockAhead = { ...systemClock, now: () => systemClock.now() + AHEAD_MS }

const openOn = async (url: string, options: TestConsoleOptions = {}) => {
  const env = { ROOKERY_DATABASE_URL: url, ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const { console } = await openTestConsole({ parts: [], env, ...options })
  await console.dispatcher.idle()
  const lease = () =>
    console.base.reader.selectFrom('lease').selectAll().where('name', '=', 'notify').executeTakeFirst()
  return { console, lease }
}

it('a console goes by the database’s time, and its leases too, when its own clock is 200 s ahead', async () => {
  const { console, lease } = await openOn(await freshDatabase(), {
    world: { clock: clockAhead },
    time: 'database',
  })
  const before = systemClock.now()
  const now = console.base.world.clock.now()
  expect(Math.abs(now - before)).toBeLessThan(1_000)
  expect((await lease())?.until).toBeLessThanOrEqual(systemClock.now() + LEASE_MS + 1_000)
})

it('a console that stops gives its lease back', async () => {
  const url = await freshDatabase()
  const first = await openOn(url)
  const second = await openOn(url)
  const held = await second.lease()
  await first.console.stop()
  await expect.poll(async () => (await second.lease())?.holder).not.toBe(held?.holder)
  expect(held).toBeDefined()
})

it('the lease of a console that is cut off passes on after five seconds, and the console knows it', async () => {
  const proxy = await openProxy()
  const clock = manualClock(systemClock.now())
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const first = await openOn(proxy.url, { log, world: { clock } })
  const second = await openOn(proxy.directUrl, { world: { clock } })
  const held = await second.lease()
  expect(held?.until).toBe(clock.now() + LEASE_MS)
  proxy.hang()
  let passed = 0
  const pass = (): void => {
    clock.advance(250)
    passed += 250
  }
  await expect
    .poll(async () => {
      pass()
      await second.console.dispatcher.idle()
      return (await second.lease())?.holder
    })
    .not.toBe(held?.holder)
  expect(passed).toBeGreaterThanOrEqual(LEASE_MS)
  expect(lines.join('')).toContain('this console does not hold the lease')
  proxy.shut()
  await first.console.stop()
})
