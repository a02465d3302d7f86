// Somebody new opens the printed link, signs up, touches a decoy, and acknowledges what came: in a real browser.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { openTestConsole, type TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { openBrowser } from './browser.ts'

const PASSWORD = 'kestrel over the harbour'
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 120_000)
afterAll(() => browser.close())

/** A page that fails the test when it throws, complains, or breaks its policy. */
async function openPage(
  viewport = { width: 1280, height: 800 },
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'en-GB', viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused call, such as a wrong password, is an error of the network to the browser.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, complaints }
}

async function signUp(page: Page, rookery: TestConsole): Promise<void> {
  await page.goto(rookery.console.setupUrl ?? '')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'How people reach it' }).waitFor()
}

it('a newcomer signs up by the printed link, and the first touch arrives in the page', async () => {
  const rookery = await openTestConsole()
  const { page, complaints } = await openPage()
  await signUp(page, rookery)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Touch it' }).waitFor()
  await rookery.console.ingest.fromConsole(sshLogin())
  await page.getByRole('heading', { name: 'That was it.' }).waitFor()
  await page.getByRole('link', { name: 'Open the incident' }).click()
  await page.getByRole('heading', { name: 'What it means' }).waitFor()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged by').waitFor()
  expect(complaints).toEqual([])
})

it('the set-up link works once', async () => {
  const rookery = await openTestConsole()
  const { page } = await openPage()
  await signUp(page, rookery)
  const { page: other } = await openPage()
  await other.goto(rookery.console.setupUrl ?? '')
  await other.getByText('This console is set up already.').waitFor()
})

it('incidents of a night are acknowledged by keys alone, undone, and leave the list', async () => {
  const rookery = await openTestConsole()
  const { page, complaints } = await openPage()
  await signUp(page, rookery)
  for (let n = 1; n <= 5; n++) await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
  await page.goto(`${rookery.console.apiUrl}/`)
  const grid = page.getByRole('grid', { name: 'Incidents' })
  await expect.poll(() => grid.getByRole('row').count()).toBe(6)
  await grid.focus()
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'Acknowledge 5' }).waitFor()
  await page.keyboard.press('e')
  await page.getByText('All quiet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => grid.getByRole('row').count()).toBe(6)
  expect(complaints).toEqual([])
})

it('what happens meanwhile comes by itself', async () => {
  const rookery = await openTestConsole()
  const { page } = await openPage()
  await signUp(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/`)
  await page.getByText('All quiet.').waitFor()
  await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.77' }))
  await page.getByRole('row').filter({ hasText: '192.0.2.77' }).waitFor()
})

it('somebody who is not signed in comes back to the incident of the link', async () => {
  const rookery = await openTestConsole()
  const { page: first } = await openPage()
  await signUp(first, rookery)
  await rookery.console.ingest.fromConsole(sshLogin())
  const { incidents } = await rookery.api.incidentQueries.all()
  const { page } = await openPage({ width: 390, height: 844 })
  await page.goto(`${rookery.console.apiUrl}/incidents/${incidents[0]?.hash_id}`)
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill('wrong password altogether')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The address or the password is not right.').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: /^SSH Login Attempt/ }).waitFor()
  // The five facts need no scrolling on a phone.
  await expect(page.getByText('What to do now').boundingBox()).resolves.toMatchObject({
    x: expect.any(Number) as number,
  })
  const box = await page.getByText('What to do now').boundingBox()
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThan(844)
})
