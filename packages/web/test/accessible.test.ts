// Each page in both themes: axe finds nothing, nothing is wider than a window of 320 px, the focus is somewhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { expectNoSidewaysScroll, inBrowser, openInbox, signUp } from './rig.ts'
import { seed } from './seed.ts'

const it = inBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The findings as `rule: elements`. Injected by the test: the page's policy refuses a script tag. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> }
    }
    interface Violation {
      readonly id: string
      readonly nodes: readonly { readonly html: string }[]
    }
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' · ')}`,
    )
  })
}

async function expectGood(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    expect(await findings(page), `${name}, ${theme}`).toEqual([])
  }
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize(before)
  const focus = await page.evaluate(() => document.activeElement?.tagName)
  expect(focus, `focus of ${name}`).not.toBe('BODY')
}

it('pages outside the shell', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await page.goto(`${rookery.console.apiUrl}/sign-in`)
  await page.getByText('Nobody can sign in yet.').waitFor()
  await expectGood(page, 'sign-in before set-up')
  await page.goto(rookery.console.setupUrl ?? '')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.getByLabel('Password').fill('password1234')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
  await expectGood(page, 'set-up')
  await signUp(page, rookery)
  await expectGood(page, 'how people reach it')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Waiting for the first touch').waitFor()
  await expectGood(page, 'touch it')
  await page.goto(`${rookery.console.apiUrl}/no/such/page`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await expectGood(page, 'not found')
  const stranger = await rig.open()
  await stranger.page.goto(`${rookery.console.apiUrl}/`)
  await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expectGood(stranger.page, 'sign in')
  expect([...complaints, ...stranger.complaints]).toEqual([])
})

it('pages of the shell', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await openInbox(page, rookery)
  await page.getByText('All quiet.').waitFor()
  await expectGood(page, 'empty inbox')
  await seed(rookery, 30)
  const { rows } = await rookery.api.incidentViews.rows({})
  await openInbox(page, rookery, `?peek=${rows[1]?.hash_id}&source=10.0.0.0/8&level=nonsense`)
  await page.getByRole('complementary').getByText('What to do now').waitFor()
  await page.keyboard.press('x')
  await page.getByRole('toolbar').waitFor()
  await expectGood(page, 'inbox')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await expectGood(page, 'keys')
  await page.keyboard.press('Escape')
  await page.goto(`${rookery.console.apiUrl}/incidents/${rows[0]?.hash_id}`)
  await page.getByText('What it means').waitFor()
  await page.getByText('With a comment or verdict').click()
  await expectGood(page, 'incident')
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged by').waitFor()
  await expectGood(page, 'acknowledged incident')
  expect(complaints).toEqual([])
})
