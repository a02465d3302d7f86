// The overview and the audit trail: what is open, since when, and who changed what.
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { expectGood } from './axe.ts'
import { DESK, inBrowser, openSignedIn, PHONE } from './rig.ts'
import { seed } from './seed.ts'

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
  let clicks = 0
  const click = async (role: 'link' | 'button', name: string) => {
    clicks++
    await page.getByRole(role, { name, exact: true }).first().click()
  }
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
  expect(clicks).toBeLessThanOrEqual(4)
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
  const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + 2, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 20)
  await page.mouse.up()
  await page.waitForURL(/\/incidents\?state=all&from=.*&to=/)
  await page.getByText('Nothing matches.').waitFor()
  expect(complaints).toEqual([])
})
