// The overview and the audit trail: what is open, since when, and who changed what.
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { expectGood } from './axe.ts'
import { DESK, inBrowser, openSignedIn, PHONE } from './rig.ts'
import { seed } from './seed.ts'
import { walk } from './walk.ts'

const it = inBrowser()
/** A folder for pictures to look at; without it none are taken. */
const PICTURES = process.env['PICTURES']

it('who switched the API off last week is found, downloaded and verified in 4 clicks', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  // Console texts refuse control characters; the longest and strangest that pass stand in the trail.
  const note = `=cmd|calc <img src=x onerror=alert(1)> ${'W'.repeat(600)}`
  await rookery.api.flockNotes.add({ flock_id: 'flock:default', note })
  await rookery.api.apiKeys.disableApi()
  await page.goto(`${rookery.console.apiUrl}/`)
  const { click, done } = walk(page, 'who switched the API off')
  await click('link', 'Audit trail')
  await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor()
  await page.getByRole('row').nth(2).waitFor()
  await expectGood(page, 'audit trail')
  await click('button', '7 days')
  await page.getByRole('searchbox', { name: 'Filter' }).fill('disable_api')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(await page.getByRole('row').nth(1).textContent()).toContain('First key')
  const downloading = page.waitForEvent('download')
  await click('button', 'Export')
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file.trim().split('\r\n')).toHaveLength(2)
  await click('button', 'Verify')
  await page.getByText(/^The trail is whole: /).waitFor()
  done(4)
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/audit-1280.png` })
  expect(complaints).toEqual([])
})

it('the overview says what is open, and a column of its plot leads to those incidents', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await rookery.api.flocks.create({ name: 'Werk <img src=x onerror=alert(1)>' })
  await seed(rookery, 12)
  await page.goto(`${rookery.console.apiUrl}/overview`)
  await page.getByText('12 incidents open, used or tried.').waitFor()
  await page.getByRole('link', { name: 'Tried 12' }).waitFor()
  await page.getByText('Incidents of this Flock reach nobody:').first().waitFor()
  await page.getByText('Show as table').click()
  await page.getByRole('heading', { name: /^Incidents over time: / }).waitFor()
  await expectGood(page, 'overview')
  if (PICTURES)
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      await page.screenshot({ path: `${PICTURES}/overview-${viewport.width}.png` })
    }
  await page.getByRole('row').last().getByRole('link').click()
  await page.getByRole('grid', { name: 'Incidents' }).waitFor()
  await expect
    .poll(() => page.getByRole('grid', { name: 'Incidents' }).locator('[role="row"][id]').count())
    .toBe(12)
  await page.goBack()
  const plot = page.getByRole('img', { name: /^Incidents over time/ })
  await plot.waitFor()
  const { width = 0 } = (await plot.boundingBox()) ?? {}
  await plot.hover({ position: { x: 2, y: 20 } })
  await page.mouse.down()
  await plot.hover({ position: { x: width / 2, y: 20 } })
  await page.mouse.up()
  await page.waitForURL(/\/incidents\?state=all&from=.*&to=/)
  await page.getByText('Nothing matches.').waitFor()
  expect(complaints).toEqual([])
})

it('the report of a time says what came of its incidents, how soon, and when a Bird was silent; it is printed light', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await seed(rookery, 5)
  const hour = 3_600_000
  await registeredBird(rookery, { name: 'nas-02', live: 0, offline_since: Date.now() - hour })
  await rookery.api.incidentActions.acknowledgeMany({ src_host: '10.0.0.1', verdict: 'intruder' })
  await rookery.api.incidentActions.acknowledgeMany({ src_host: '10.0.0.2' })
  await page.goto(`${rookery.console.apiUrl}/overview`)
  await page.getByRole('link', { name: 'Report of last month' }).click()
  await page.getByText('None of them is acknowledged.').waitFor()
  const day = (ahead: number) => new Date(Date.now() + ahead * 24 * hour).toISOString().slice(0, 10)
  await page.getByLabel('From').fill(day(-1))
  await page.getByLabel('To').fill(day(1))
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('heading', { name: '5 incidents by level and verdict' }).waitFor()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).allTextContents()
  expect(await row('Not acknowledged')).toEqual(['Not acknowledged03003'])
  expect(await row('A real intruder')).toEqual(['A real intruder01001'])
  expect(await row('No verdict')).toEqual(['No verdict01001'])
  await page.getByText('95 of 100 within').waitFor()
  await page.getByText('Birds were silent 1 time.').waitFor()
  await page.getByRole('row', { name: /nas-02.*Still silent.*1 h/ }).waitFor()
  await expectGood(page, 'report')
  await page.reload()
  await page.getByRole('heading', { name: '5 incidents by level and verdict' }).waitFor()
  await page.getByRole('button', { name: 'Print' }).click()
  await expect.poll(() => page.locator('body').getAttribute('data-printed')).toBe('')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const hidden of [page.getByRole('navigation'), page.getByRole('button', { name: 'Print' })])
    await hidden.waitFor({ state: 'hidden' })
  const paper = await page.evaluate(() => ({
    ground: getComputedStyle(document.documentElement).backgroundColor,
    whole: document.documentElement.scrollHeight >= (document.querySelector('main')?.scrollHeight ?? 0),
  }))
  expect(paper).toEqual({ ground: 'rgb(245, 247, 249)', whole: true })
  expect(complaints).toEqual([])
})

it('while incidents are still counted over time, the rest of the overview is there', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/incidents/timeline*', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto(`${rookery.console.apiUrl}/overview`)
  await page.getByRole('link', { name: 'Default Flock' }).first().waitFor()
  await page.getByText('Incidents of this Flock reach nobody:').waitFor()
  expect(await page.getByRole('img', { name: /^Incidents over time/ }).count()).toBe(0)
  answer()
  await page.getByRole('img', { name: /^Incidents over time/ }).waitFor()
})

it('a full disk and a certificate that ends stand in the health of the overview', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.route('**/api/v1/settings/health', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({
        result: 'success',
        findings: [
          { about: 'disk', ok: false, text: '3 MiB free under /data: less than 512 MiB is soon full' },
          { about: 'certificate', ok: true, text: 'cert.pem is for console.example.com' },
        ],
      }),
    }),
  )
  await page.goto(`${rookery.console.apiUrl}/overview`)
  await page.getByText('Disk: 3 MiB free under /data: less than 512 MiB is soon full').waitFor()
  expect(await page.getByText(/cert\.pem/).count()).toBe(0)
  expect(complaints).toEqual([])
})
