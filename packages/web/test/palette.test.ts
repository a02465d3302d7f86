// The palette: to a page, to something to do, and to what is found, without a mouse.
import { expect } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import type { Page } from 'playwright-core'
import { expectGood } from './axe.ts'
import { inBrowser, openInbox, openSignedIn } from './rig.ts'
import { CORPUS, seed } from './seed.ts'

const it = inBrowser()

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go, do or find' }).waitFor()
  await page.keyboard.type(text)
}

const path = (rookery: TestConsole, page: Page): string =>
  page.url().slice((rookery.console.apiUrl ?? '').length)

const isChosen = (page: Page, name: string | RegExp) =>
  page.getByRole('option', { name, selected: true }).waitFor()

it('goes to an address, half a Bird’s name, a memo and a page, by keys alone', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await seed(rookery, 3)
  const bird = await registeredBird(rookery, { name: 'nas-berlin-02' })
  const { decoytoken } = (await rookery.api.tokens.create({ kind: 'http', memo: 'Payroll of 2026' }))
    .decoytoken
  await page.goto(`${rookery.console.apiUrl}/birds`)
  await page.getByRole('heading', { name: 'Birds' }).waitFor()

  await ask(page, '10.0.0.1')
  await isChosen(page, /All that this source did/)
  await page.keyboard.press('Enter')
  await expect.poll(() => path(rookery, page)).toBe('/sources/10.0.0.1')

  await ask(page, 'berlin')
  await isChosen(page, /nas-berlin-02/)
  await expectGood(page, 'palette')
  await page.keyboard.press('Enter')
  await expect.poll(() => path(rookery, page)).toBe(`/birds/${bird}`)

  await ask(page, 'payroll')
  await isChosen(page, /Payroll of 2026/)
  await page.keyboard.press('Enter')
  await expect.poll(() => path(rookery, page)).toBe(`/tokens/${decoytoken}`)

  await ask(page, 'new t')
  await isChosen(page, 'New token')
  await page.keyboard.press('ArrowDown')
  await isChosen(page, 'New tokens from a list')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => path(rookery, page)).toBe('/tokens/new')

  await ask(page, 'nothing is called so')
  await isChosen(page, /Search all incidents/)
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Go, do or find' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

it('shows what intruders wrote as text, and says what it could not look up', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  const memo = CORPUS.find((text) => text.includes('<script')) ?? ''
  await rookery.api.tokens.create({ kind: 'http', memo: `Findable ${memo}`.slice(0, 500) })
  await openInbox(page, rookery)
  await ask(page, 'findable')
  const option = page.getByRole('option', { name: /Findable/ })
  await option.waitFor()
  expect(await option.textContent()).toContain('<script')
  expect(await option.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true)
  await page.keyboard.press('Escape')
  await page.route('**/api/v1/decoytokens/search*', (route) => route.abort())
  await ask(page, 'findables')
  await page.getByText('Not everything could be looked up').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expect(complaints.filter((it) => !it.includes('ERR_FAILED'))).toEqual([])
})
