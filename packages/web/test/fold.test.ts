// A scanner of many Birds is one line of the inbox, with an exact count: unfolded, acknowledged and undone, by mouse and by keyboard.
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin, subject } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { grid, inBrowser, openInbox, openSignedIn, PHONE, rowsOf } from './rig.ts'
import { CORPUS, seed } from './seed.ts'

const it = inBrowser()
const SCANNER = '203.0.113.7'

/** The scanner touches Birds one after the other, from this one on. */
async function scan(rookery: TestConsole, birds: number, from = 0): Promise<void> {
  for (let n = from; n < from + birds; n++) {
    const nodeId = `f${n.toString(16).padStart(15, '0')}`
    const { touch, receivedAt } = sshLogin({ srcHost: SCANNER, nodeId })
    const name = CORPUS[n % CORPUS.length]?.slice(0, 300) ?? ''
    await rookery.console.ingest.fromConsole({ touch, receivedAt, subject: { ...subject, name } })
  }
}

const fold = (page: Page) => grid(page).getByRole('row').filter({ hasText: SCANNER }).first()
const unfolder = (page: Page, n: number) => grid(page).getByRole('button', { name: `${n} incidents` })
const open = async (rookery: TestConsole) => (await rookery.api.incidentViews.rows({ limit: 1 })).total

/** 91 of the scanner, of which a page of 100 has 40; the newest two stand first. */
async function openNight(page: Page, rookery: TestConsole): Promise<void> {
  await scan(rookery, 89)
  await seed(rookery, 60)
  await scan(rookery, 2, 89)
  await openInbox(page, rookery)
  await page.getByText('100 shown of 151').waitFor()
  await unfolder(page, 91).waitFor()
}

it('by mouse: counted by the console, unfolded, acknowledged as one and undone', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await openNight(page, rookery)
  await expectGood(page, 'folded')
  await fold(page).click()
  await grid(page).locator('[data-inside]').first().waitFor()
  expect(await unfolder(page, 91).getAttribute('aria-expanded')).toBe('true')
  await expectGood(page, 'unfolded')

  // The list does not stand at its top: what comes waits, and nothing moves under the pointer.
  await grid(page).evaluate((box) => box.scrollTo(0, 20))
  const inside = grid(page).locator('[data-inside]').nth(1)
  const before = await inside.boundingBox()
  await scan(rookery, 1, 91)
  await page.getByRole('button', { name: '1 new' }).waitFor()
  await unfolder(page, 92).waitFor()
  expect(await inside.boundingBox()).toEqual(before)

  await fold(page).getByRole('checkbox').click()
  await page.getByRole('toolbar').getByText('92 selected').waitFor()
  await page.getByRole('button', { name: 'Acknowledge 92' }).click()
  await page.getByRole('status').getByText('Acknowledged 92.').waitFor()
  expect(await open(rookery)).toBe(60)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await page.getByText('Undone: 92 incidents as before.').waitFor()
  await page.getByRole('toolbar').getByText('92 selected').waitFor()
  expect(await open(rookery)).toBe(152)

  await fold(page).getByRole('link', { name: SCANNER }).click()
  await page.getByRole('heading', { name: SCANNER }).waitFor()
  expect(complaints).toEqual([])
})

it('by keyboard, and one of them alone', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await openNight(page, rookery)
  const cursor = () => grid(page).getAttribute('aria-activedescendant')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await grid(page).focus()
  await press('Home', 'ArrowRight')
  await grid(page).locator('[data-inside]').first().waitFor()
  expect(await cursor()).toBe(`row-fold:${SCANNER}`)
  await press('j', 'x')
  await page.getByRole('toolbar').getByText('1 selected').waitFor()
  await press('e')
  await page.getByRole('status').getByText('Acknowledged 1.').waitFor()
  await unfolder(page, 90).waitFor()
  await press('ArrowLeft')
  await expect.poll(cursor).toBe(`row-fold:${SCANNER}`)
  await press('ArrowLeft')
  await expect.poll(() => grid(page).locator('[data-inside]').count()).toBe(0)
  await press('Enter')
  await grid(page).locator('[data-inside]').first().waitFor()
  await press('Enter', 'x', 'J')
  await page.getByRole('toolbar').getByText('91 selected').waitFor()
  await press('K', 'Escape', 'e')
  await page.getByRole('status').getByText('Acknowledged 90.').waitFor()
  expect(await open(rookery)).toBe(60)
  await press('z')
  await page.getByText('Undone: 90 incidents as before.').waitFor()
  expect(await open(rookery)).toBe(150)
  expect(complaints).toEqual([])
})

it('on a phone, in one line of the list', async (rig) => {
  const { page, rookery } = await openSignedIn(rig, { viewport: PHONE })
  await scan(rookery, 6)
  await openInbox(page, rookery)
  await unfolder(page, 6).waitFor()
  expect(await rowsOf(page)).toBe(1)
  await fold(page).click()
  await expect.poll(() => rowsOf(page)).toBe(7)
  // Where somebody comes back to, it is as it was.
  await grid(page).locator('[data-inside]').first().click()
  await page.getByRole('heading', { level: 1, name: /SSH/ }).waitFor()
  await page.goBack()
  await expect.poll(() => rowsOf(page)).toBe(7)
})
