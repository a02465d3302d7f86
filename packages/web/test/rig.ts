// What the tests in a browser share: one browser a file, pages that complain, and the way in.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openTestConsole, type TestConsole } from '@rookery/console/test/test-console.ts'
import { openBrowser } from './browser.ts'
import { watchTasks } from './long-tasks.ts'
import { signUpAt } from './sign-up.ts'
import { form } from './walk.ts'

export { EMAIL, PASSWORD } from './sign-up.ts'
export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }

export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page threw, complained of, or was refused by its policy; dialogs too. */
  readonly complaints: string[]
}

export interface Rig {
  open(how?: {
    readonly viewport?: { width: number; height: number }
    readonly timezoneId?: string
  }): Promise<Tab>
}

type InBrowser = (claim: string, prove: (rig: Rig) => Promise<void>) => void

/** For a test file: claims that are shown in a browser. Where none can be had they fail in CI, and are skipped elsewhere. */
export function inBrowser(): InBrowser {
  let browser: Browser | undefined
  let why: unknown
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    try {
      browser = await openBrowser()
    } catch (error) {
      if (process.env['CI']) throw error
      why = error
      console.error(`NO BROWSER: the tests of the page are skipped. Set CHROMIUM to one. (${String(error)})`)
    }
  }, 120_000)
  afterAll(() => browser?.close())
  const open: Rig['open'] = async ({ viewport = DESK, ...how } = {}) => {
    if (!browser) throw new Error('no browser')
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport,
      colorScheme: form === 'dark' ? 'dark' : 'light',
      ...how,
    })
    contexts.push(context)
    return watched(context)
  }
  return (claim, prove) =>
    it(claim, { timeout: 400_000 }, async ({ skip }) => {
      if (!browser) skip(`no browser: ${String(why)}`)
      try {
        await prove({ open })
      } finally {
        await Promise.all(contexts.splice(0).map((context) => context.close()))
      }
    })
}

async function watched(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  await watchTasks(page)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    // What was begun is left: the page's own question, and no script's.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // A refused call, such as a wrong password, is an error of the network to the browser.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** Signs up by the printed link. */
export const signUp = (page: Page, rookery: TestConsole): Promise<void> =>
  signUpAt(page, rookery.console.setupUrl ?? '')

/** A console with a person who is signed in, in a tab that shows the inbox once it is asked for. */
export async function openSignedIn(
  rig: Rig,
  how?: Parameters<Rig['open']>[0],
): Promise<Tab & { rookery: TestConsole }> {
  const rookery = await openTestConsole()
  const tab = await rig.open(how)
  await signUp(tab.page, rookery)
  return { ...tab, rookery }
}

export const grid = (page: Page) => page.getByRole('grid', { name: 'Incidents' })

/** Rows of the grid; the heading, which a phone does not show, has no box to tick for an incident. */
export const rowsOf = (page: Page): Promise<number> => grid(page).locator('[role="row"][id]').count()

export async function openInbox(page: Page, rookery: TestConsole, query = ''): Promise<void> {
  await page.goto(`${rookery.console.apiUrl}/${query}`)
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { scrolled, width } = await page.evaluate(() => ({
    scrolled: document.documentElement.scrollWidth,
    width: innerWidth,
  }))
  expect(scrolled).toBeLessThanOrEqual(width)
}
