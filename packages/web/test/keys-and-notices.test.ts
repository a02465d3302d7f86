// Keys that go somewhere from any page, the sheet of all keys, and notices of the desktop.
import { expect } from 'vitest'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { inBrowser, openSignedIn, rowsOf } from './rig.ts'
import { seed } from './seed.ts'

const it = inBrowser()

it('`g` and a letter go somewhere from any page, and `?` shows the keys', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await seed(rookery, 2)
  await page.goto(`${rookery.console.apiUrl}/birds`)
  const isAt = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  await isAt('Birds')
  for (const [letter, name] of [
    ['o', 'Overview'],
    ['t', 'Tokens'],
    ['f', 'Flocks'],
    ['b', 'Birds'],
    ['i', 'Incidents'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await isAt(name)
  }
  await expect.poll(() => rowsOf(page)).toBe(2)
  // Alone, `a` selects all that are shown; behind `g` it goes to the alerts, and behind `g x` it is alone again.
  for (const key of ['g', 'x', 'a']) await page.keyboard.press(key)
  await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await isAt('Receivers')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys' })
  await sheet.getByText('Go to the receivers of alerts').waitFor()
  await expectGood(page, 'the sheet of keys')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  await page.keyboard.type('g b?')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('g b?')
  await isAt('Receivers')
  expect(complaints).toEqual([])
})

it('a notice comes for what was tried, where it is switched on; where the browser refuses, the page says so', async (rig) => {
  const { page, context, complaints, rookery } = await openSignedIn(rig)
  // A browser without a desktop shows none: what it would show is kept.
  await page.addInitScript(() => {
    const shown: string[] = []
    class Kept {
      static get permission() {
        return sessionStorage.getItem('allows') ?? 'denied'
      }
      static requestPermission = () => Promise.resolve(Kept.permission)
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title} · ${body}`)
      }
    }
    Object.assign(window, { Notification: Kept, shown })
  })
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
  await page.goto(`${rookery.console.apiUrl}/me/profile`)
  const choice = page.getByRole('checkbox', { name: /^Notices of the desktop/ })
  expect(await choice.isChecked()).toBe(false)
  await choice.click()
  await page.getByText('This browser allows no notices of this page').waitFor()
  expect(await choice.isChecked()).toBe(false)
  await expectGood(page, 'profile')
  await page.evaluate(() => sessionStorage.setItem('allows', 'granted'))
  await choice.click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.7' }))
  await expect.poll(shown).toEqual([expect.stringMatching(/SSH.* · .* · 192\.0\.2\.7$/)])
  await context.clearPermissions()
  expect(complaints).toEqual([])
})
