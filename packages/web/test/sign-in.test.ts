// Signing in and out in a real browser: the form as password managers want it, and nothing left behind.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { addPerson, ANN, PASSWORD } from '@rookery/console/test/person.ts'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { openBrowser } from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 120_000)
afterAll(() => browser.close())

it('a password is hidden, may be pasted, and belongs to its manager; signing out leaves nothing in the browser', async () => {
  const rookery = await openTestConsole()
  await addPerson(rookery)
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  await page.goto(`${rookery.console.apiUrl ?? ''}/sign-in`)
  const password = page.getByLabel('Password')
  await password.waitFor()
  expect(await password.getAttribute('type')).toBe('password')
  expect(await password.getAttribute('autocomplete')).toBe('current-password')
  expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username')
  await page.getByLabel('Email').fill(ANN)
  // As a paste arrives: all characters at once, in one event.
  await password.focus()
  await page.keyboard.insertText(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account' }).click()

  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ name: '__Host-rookery', httpOnly: true, secure: true, sameSite: 'Strict' })
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const kept = (): Promise<string[]> =>
    page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))
  expect(await kept()).toContain('rookery.page')

  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  expect(await context.cookies()).toEqual([])
  expect(await kept()).not.toContain('rookery.page')
})
