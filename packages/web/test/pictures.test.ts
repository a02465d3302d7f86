// Pictures of the main pages, to look at and for the README: PICTURES=docs/ui/pictures npx vitest run packages/web/test/pictures.test.ts
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { openOffice } from './office.ts'
import { DESK, inBrowser, PHONE, signUp } from './rig.ts'

const folder = process.env['PICTURES'] ?? ''
const WIDE = { width: 1920, height: 1080 }

describe.skipIf(folder === '')('pictures', () => {
  const it = inBrowser()

  it('the main pages of an office, in two themes and three sizes', async (rig) => {
    const taken = { send: () => Promise.resolve({ status: 200, headers: {}, body: 'ok' }) }
    const env = { ROOKERY_TOKENS_DOMAIN: 't.example.com', ROOKERY_TOKENS_URL: 'https://t.example.com' }
    const rookery = await openTestConsole({ world: { outbound: taken }, env })
    const { page, complaints } = await rig.open()
    await signUp(page, rookery)
    const { bird, token } = await openOffice(rookery)
    const [incident] = (await rookery.api.incidentViews.rows({ source: '10.20.7.14' })).rows
    const pages: Readonly<Record<string, string>> = {
      inbox: '/',
      incident: `/incidents/${incident!.hash_id}`,
      overview: '/overview',
      birds: '/birds',
      bird: `/birds/${bird}`,
      'new-bird': '/birds/new',
      tokens: '/tokens',
      'new-token': '/tokens/new',
      token: `/tokens/${token}`,
      source: '/sources/10.20.7.14',
      receivers: '/alerts/receivers',
      people: '/people',
      settings: '/settings',
    }
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(rookery.console.apiUrl + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
      await page.evaluate(() => document.fonts.ready)
      for (const theme of ['dark', 'light'] as const)
        for (const viewport of [PHONE, DESK, WIDE]) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
          await page.setViewportSize(viewport)
          // Two frames: what the size asks for has been drawn.
          await page.evaluate(
            () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
          )
          const path = join(folder, `${name}-${viewport.width}-${theme}.png`)
          await page.screenshot({ path })
        }
    }
    expect(complaints).toEqual([])
  })
})
