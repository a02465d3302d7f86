// Second factors in a real browser: both are added, each lets in, both are lost, and a recovery code lets in. The passkey is made
// by Chromium's own authenticator.
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { codeAt, originOf } from '@rookery/console/test/factors.ts'
import { addPerson, ANN, askAs, PASSWORD, signIn } from '@rookery/console/test/person.ts'
import { openTestConsole, type TestConsole } from '@rookery/console/test/test-console.ts'
import { systemWorld } from '@rookery/console/world/system.ts'
import { expectGood } from './axe.ts'
import { inBrowser, PHONE, type Tab } from './rig.ts'

const it = inBrowser()
const STEP_MS = 30_000
const PROVEN_MS = 600_000

/** A console whose time the test may move on, with Ann. */
async function openWithAnn() {
  let ahead = 0
  const { clock: system } = systemWorld({ send: () => Promise.reject(new Error('no outside')) })
  const rookery = await openTestConsole({ world: { clock: { ...system, now: () => system.now() + ahead } } })
  await addPerson(rookery)
  return { rookery, pass: (ms: number) => void (ahead += ms) }
}

async function plugIn({ page, context }: Tab): Promise<void> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function givePassword(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Email').fill(ANN)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const isIn = (page: Page) => page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
}

/** Adds an app on the page; answers its secret. */
async function addApp(page: Page, rookery: TestConsole): Promise<string> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const qr = page.getByRole('img', { name: 'The secret, to be scanned' })
  // Drawn, and not empty: both colours are there.
  await expect
    .poll(() =>
      qr.evaluate((it: HTMLCanvasElement) => {
        const { data } = it.getContext('2d')!.getImageData(0, 0, it.width, it.height)
        return new Set(data.filter((_, at) => at % 4 === 0)).size
      }),
    )
    .toBe(2)
  const secret = (
    await page
      .locator('p', { hasText: /^Secret/ })
      .locator('code')
      .innerText()
  ).replaceAll(' ', '')
  await page.getByLabel('Code').fill(codeAt(rookery, secret, -1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('region', { name: 'Recovery codes' }).waitFor()
  return secret
}

it('both factors are added, each lets in, both are lost, and a recovery code lets in', async (rig) => {
  const { rookery, pass } = await openWithAnn()
  const origin = originOf(rookery)
  const tab = await rig.open()
  const { page } = tab
  await plugIn(tab)
  await givePassword(page, origin)
  await isIn(page)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  const secret = await addApp(page, rookery)
  const codes = await page.getByRole('region', { name: 'Recovery codes' }).locator('li').allInnerTexts()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I stored them' }).click()
  await page.getByLabel('Name').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()

  await signOut(page)
  await givePassword(page, origin)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The code is not right').waitFor()
  // The step waits also where the page is loaded anew.
  await page.reload()
  await page.getByLabel('Code').fill(codeAt(rookery, secret))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isIn(page)

  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)
  await signOut(page)
  pass(STEP_MS)
  await givePassword(page, origin)
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isIn(page)

  // Another browser, without app and passkey.
  const other = await rig.open()
  await givePassword(other.page, origin)
  await other.page.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.page.getByLabel('Code').fill(codes[3] ?? '')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await isIn(other.page)
  await other.page.goto(`${origin}/me/security`)
  await other.page.getByText('9 of 10 left').waitFor()
  await other.page.getByRole('button', { name: 'Remove Laptop' }).click()
  await other.page.getByText('No passkey yet.').waitFor()
  await other.page.getByRole('button', { name: 'Remove the app' }).click()
  await other.page.getByText('Not set up.').waitFor()
  // The first browser is thrown out from here.
  await other.page.getByRole('button', { name: 'End all others' }).click()
  await expect.poll(() => other.page.getByRole('list', { name: 'Sessions' }).locator('li').count()).toBe(1)
  await page.getByRole('dialog', { name: 'Your session ended.' }).waitFor()
  expect([...tab.complaints, ...other.complaints]).toEqual([])
})

it('what needs another proof asks for it, goes on after it, and keeps what was typed', async (rig) => {
  const { rookery, pass } = await openWithAnn()
  const { page, complaints } = await rig.open()
  await givePassword(page, rookery.console.apiUrl ?? '')
  await isIn(page)
  await page.goto(`${rookery.console.apiUrl}/me/security`)
  // At an address passkeys do not work, and the button says so.
  await page
    .locator('[role="tooltip"]', { hasText: 'Open this console by name.' })
    .waitFor({ state: 'attached' })
  await page.getByLabel('Name').fill('Blue key')
  pass(PROVEN_MS + 1_000)
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  await dialog.getByLabel('Password').fill('plover behind the dunes')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('The password is not right.').waitFor()
  await expectGood(page, 'another proof')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('This needs another proof that it is you.').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Blue key')
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('img', { name: 'The secret, to be scanned' }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Blue key')
  expect(complaints).toEqual([])
})

it('who must have a second factor adds one right after the password, on a phone', async (rig) => {
  const { rookery } = await openWithAnn()
  await rookery.post('/settings/sign_in', { second_factor_required: true })
  const tab = await rig.open({ viewport: PHONE })
  const { page, complaints } = tab
  await plugIn(tab)
  await givePassword(page, originOf(rookery))
  await page.getByRole('heading', { name: 'Add a second factor' }).waitFor()
  await expectGood(page, 'a factor must be added')
  await page.goto(`${originOf(rookery)}/incidents`)
  await page.getByRole('heading', { name: 'Add a second factor' }).waitFor()
  await page.getByLabel('Name').fill('Phone')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('button', { name: 'I stored them' }).click()
  await isIn(page)
  expect(complaints).toEqual([])
})

it('theme, time zone and keys follow the person into another browser', async (rig) => {
  const { rookery } = await openWithAnn()
  const { page, complaints } = await rig.open()
  const at = rookery.console.apiUrl ?? ''
  await givePassword(page, at)
  await isIn(page)
  await page.goto(`${at}/me/profile`)
  await page.getByLabel('Theme').selectOption('Light')
  await page.getByLabel('Time zone', { exact: true }).selectOption('Pacific/Auckland')
  await page.getByLabel('Single-letter keys').uncheck()
  await expect
    .poll(async () => (await askAs(rookery, (await signIn(rookery)).halves, 'GET', '/me/preferences')).json)
    .toMatchObject({ theme: 'light', zone: 'Pacific/Auckland', keys: false })
  await page.getByLabel('Present password').fill(PASSWORD)
  await page.getByLabel('New password').fill('kestrel')
  await page.getByLabel('New password').fill('plover behind the dunes')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The password is changed.').waitFor()

  const other = await rig.open()
  await other.page.goto(`${at}/sign-in`)
  await other.page.getByLabel('Email').fill(ANN)
  await other.page.getByLabel('Password').fill('plover behind the dunes')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await isIn(other.page)
  await expect.poll(() => other.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
  await other.page.goto(`${at}/me/security`)
  const time = other.page.getByRole('list', { name: 'Sessions' }).locator('time').first()
  // Auckland is 12 or 13 hours ahead, also in its name.
  await expect.poll(() => time.getAttribute('title')).toMatch(/(GMT\+1[23]|NZ[SD]T)/)
  await expectGood(other.page, 'security')
  await other.page.goto(`${at}/me/profile`)
  await other.page.getByLabel('Present password').waitFor()
  await expectGood(other.page, 'profile')
  expect([...complaints, ...other.complaints]).toEqual([])
})
