import { existsSync, statSync, utimesSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openTestConsole } from '../../test/test-console.ts'
import { examineTaskReport } from './task-report.ts'

it('doctor sees the background tasks of a console that runs, that it hangs, and nothing once it has stopped', async () => {
  const rookery = await openTestConsole()
  const path = rookery.console.folder.tasks
  await expect.poll(() => existsSync(path)).toBe(true)
  expect(examineTaskReport(path, Date.now())).toEqual([
    { ok: true, about: 'background', text: expect.stringMatching(/^\d+ background tasks are on time$/) },
  ])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const then = new Date(Date.now() - 3_600_000)
  utimesSync(path, then, then)
  expect(examineTaskReport(path, Date.now())).toEqual([
    {
      ok: false,
      about: 'background',
      text: expect.stringContaining(`at ${then.toISOString()}: it hangs, or was killed`),
    },
  ])
  await rookery.console.stop()
  expect(examineTaskReport(path, Date.now())).toEqual([])
})
