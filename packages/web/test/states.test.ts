// Each page where all is well, where nothing is there yet, where the console fails, and where it does not answer: axe finds
// nothing, dark, light and in forced colours, and a page that has nothing to show says why.
import { expect } from 'vitest'
import type { Route } from 'playwright-core'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { expectGood } from './axe.ts'
import { watchRequests } from './clicker.ts'
import { PAGES, plantWorld } from './every-page.ts'
import { inBrowser, signUp } from './rig.ts'

const it = inBrowser()
const FAILURE = {
  result: 'error',
  message: 'The console failed; its log says why.',
  error: { code: 'internal' },
}
const STATES: Readonly<Record<string, ((route: Route) => Promise<void>) | undefined>> = {
  filled: undefined,
  empty: undefined,
  error: (route) => route.fulfill({ status: 500, json: FAILURE }),
  offline: (route) => route.abort('connectionrefused'),
}
/** What is refused there is asked by the frame alone. */
const ASK_NOTHING = ['import', 'about', 'profile']
/** Who is signed in is known from before. */
const isOfPage = (url: URL) => url.pathname.startsWith('/api/v1/') && !/\/(session|live)\b/.test(url.pathname)

for (const [state, refuse] of Object.entries(STATES))
  for (const part of [0, 1, 2]) {
    const pages = PAGES.filter((_, at) => at % 3 === part)
    it(`${state}: ${pages.map(([name]) => name).join(', ')}`, async (rig) => {
      const rookery = await openTestConsole()
      const { page, complaints } = await rig.open()
      const settle = watchRequests(page)
      await signUp(page, rookery)
      const world = state === 'empty' ? {} : await plantWorld(rookery)
      let refused = 0
      if (refuse)
        await page.route(isOfPage, async (route) => {
          refused++
          await refuse(route)
        })
      const findings: string[] = []
      for (const [name, path] of pages) {
        refused = 0
        try {
          await page.goto(`${rookery.console.apiUrl}${path(world)}`)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await settle()
          if (refused > 0 && !ASK_NOTHING.includes(name)) await page.getByRole('alert').first().waitFor()
          for (const forcedColors of ['none', 'active'] as const) {
            await page.emulateMedia({ forcedColors })
            await expectGood(page, `forced colours: ${forcedColors}`)
          }
        } catch (error) {
          findings.push(`${name}: ${String(error)}`)
        }
        findings.push(...complaints.splice(0).map((it) => `${name}: ${it}`))
      }
      expect(findings).toEqual([])
    })
  }
