// The top bar: a search from anywhere, and times in the zone that one chose.
import { expect } from 'vitest'
import { inBrowser, openInbox, openSignedIn, rowsOf } from './rig.ts'
import { seed } from './seed.ts'

const it = inBrowser()

it('`/` searches all incidents from any page, and goes to the filter where there is one', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await seed(rookery, 3)
  const [row] = (await rookery.api.incidentViews.rows({ source: '10.0.0.1' })).rows
  await rookery.api.incidentActions.acknowledgeMany({ hash_ids: row?.hash_id ?? '', keys: false })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.goto(`${rookery.console.apiUrl}/incidents/${row?.hash_id}`)
  await page.getByText('Acknowledged by').waitFor()
  await page.keyboard.press('/')
  await expect.poll(focused).toBe('Search')
  await page.keyboard.type('10.0.0.1')
  await page.keyboard.press('Enter')
  // It is found, though it is acknowledged, and the next key acts on the list.
  await expect.poll(() => rowsOf(page)).toBe(1)
  expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe('10.0.0.1')
  await page.keyboard.press('x')
  await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
  await page.keyboard.press('/')
  await expect.poll(focused).toBe('Filter')
  expect(complaints).toEqual([])
})

it('every time follows the chosen zone, in each tab and after a reload, and says UTC on hover', async (rig) => {
  const { page, context, rookery } = await openSignedIn(rig, { timezoneId: 'Asia/Kolkata' })
  await seed(rookery, 1)
  const [row] = (await rookery.api.incidentViews.rows({})).rows
  await openInbox(page, rookery, '?from=2026-01-02-20:00:00')
  const chip = page.locator('time').filter({ hasText: '3 Jan 2026, 01:30:00' })
  await chip.waitFor()
  expect(await chip.getAttribute('title')).toBe('2 Jan 2026, 20:00:00 UTC')
  const other = await context.newPage()
  await other.goto(`${rookery.console.apiUrl}/incidents/${row?.hash_id}`)
  const time = other.getByRole('listitem').locator('time').first()
  await time.filter({ hasText: 'GMT+5:30' }).waitFor()
  await page
    .getByRole('button', { name: /^Time zone Asia.(Calcutta|Kolkata) .05:30. Show times in UTC/ })
    .click()
  await page.locator('time').filter({ hasText: '2 Jan 2026, 20:00:00 UTC' }).waitFor()
  await time.filter({ hasText: 'UTC' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Time zone UTC. Show times in the zone of this browser' }).click()
  await chip.waitFor()
})
