// A journey: what a person presses is counted, and said with its time. `npm run proof -- ui` walks each in every form.
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { longestTask } from './long-tasks.ts'

const FORMS = ['mouse', 'keyboard', 'dark', 'cut'] as const
/** `cut`: the stream and all else is cut before the second press. */
export const form = FORMS.find((it) => it === process.env['ROOKERY_FORM']) ?? 'mouse'
/** The last of them is how a journey goes on. */
export const THEMES = form === 'dark' ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
/** No page has as many stops. */
const MAX_TABS = 400

export function walk(page: Page, journey: string) {
  const startedAt = Date.now()
  let clicks = 0
  const click = async (
    role: 'link' | 'button' | 'radio',
    name: string | RegExp,
    within: Page | Locator = page,
  ): Promise<void> => {
    clicks++
    if (form === 'cut' && clicks === 2) await cut(page)
    const control = within.getByRole(role, { name, exact: typeof name === 'string' }).first()
    if (form === 'keyboard') await press(page, control, role)
    else await control.click()
  }
  return {
    click,
    /** Too many clicks are a failure; how long it took, and its longest task, depend on the machine. */
    done(most: number): void {
      const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1)
      const busy = longestTask(page)
      console.log(`journey: ${journey}, ${form}: ${clicks} clicks, ${seconds} s, longest task ${busy} ms`)
      expect(clicks).toBeLessThanOrEqual(most)
    },
  }
}

/** By Tab to the control, in a group by its arrows, and then its own key. */
async function press(page: Page, control: Locator, role: string): Promise<void> {
  await control.waitFor()
  await expect.poll(() => control.isEnabled()).toBe(true)
  const hasFocus = () => control.evaluate((it) => it === document.activeElement)
  const isInGroup = () => page.evaluate(() => document.activeElement?.matches('[type=radio], [role=radio]'))
  for (let tabs = 0; !(await hasFocus()); tabs++) {
    if (tabs > MAX_TABS) throw new Error(`no key leads to ${String(control)}`)
    await page.keyboard.press(role === 'radio' && (await isInGroup()) ? 'ArrowDown' : 'Tab')
  }
  await page.keyboard.press(role === 'radio' ? 'Space' : 'Enter')
}

/** What is under way fails, and so does what is tried next, until the page has said so. */
async function cut(page: Page): Promise<void> {
  const status = page.getByRole('status', { name: 'Connection' })
  // The first steps of a console have none.
  const says = async (words: RegExp) =>
    (await status.count()) > 0 ? status.getByText(words).waitFor() : undefined
  await says(/^Live/)
  const failed = page.waitForEvent('requestfailed')
  await page.context().setOffline(true)
  await page.evaluate(() => stop())
  await failed
  await says(/^(Reconnecting|Offline)/)
  await page.context().setOffline(false)
  await says(/^Live/)
}
