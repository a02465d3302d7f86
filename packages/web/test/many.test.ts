// A night of 4,000 incidents: all but one source is acknowledged, undone, and acknowledged again, by five presses.
import { expect } from 'vitest'
import { grid, inBrowser, openInbox, openSignedIn } from './rig.ts'
import { addressOf, seed } from './seed.ts'

const it = inBrowser()
const MANY = 4_000

it('4,000 incidents: acknowledge all but one source, undo, again', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await seed(rookery, MANY)
  await openInbox(page, rookery)
  const kept = addressOf(MANY - 1)
  let presses = 0
  const press = async (name: string | RegExp) => {
    presses++
    await page.getByRole('button', { name, exact: typeof name === 'string' }).click()
  }
  const open = async (): Promise<number> => (await rookery.api.incidentViews.rows({ limit: 1 })).total
  presses++
  await page.getByRole('row').filter({ hasText: kept }).getByRole('checkbox').click()
  await press(new RegExp(`^Select all but those of ${kept.replaceAll('.', '\\.')}$`))
  await page.getByRole('toolbar').getByText(`Open, from any source but ${kept}`).waitFor()
  await press(/^Acknowledge 3,999/)
  await page.getByRole('status').getByText('Acknowledged 3,999.').waitFor()
  expect(await open()).toBe(1)
  await press(/^Undo/)
  await page.getByText('Undone: 3,999 incidents as before.').waitFor()
  expect(await open()).toBe(MANY)
  await press(/^Acknowledge 3,999/)
  await page.getByText('Nothing matches.').waitFor()
  expect(await open()).toBe(1)
  expect(presses).toBeLessThanOrEqual(6)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.getByRole('row').filter({ hasText: kept }).waitFor()
  expect(complaints).toEqual([])
})

it('whatever is stored, few rows are drawn, and the cursor is one of them', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  await seed(rookery, 400)
  await openInbox(page, rookery)
  await page.getByText('100 shown of 400').waitFor()
  await grid(page).focus()
  await page.keyboard.press('j')
  await grid(page).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await page.getByText('200 shown of 400').waitFor()
  expect(await grid(page).getByRole('row').count()).toBeLessThanOrEqual(61)
  const isRendered = await grid(page).evaluate(
    (box) => document.getElementById(box.getAttribute('aria-activedescendant') ?? '') !== null,
  )
  expect(isRendered).toBe(true)
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'Select all 400 matching' }).click()
  await page.getByRole('toolbar').getByText('400 selected: Open').waitFor()
})
