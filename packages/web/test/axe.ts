// axe finds nothing on a page, in both themes; nothing is wider than a window of 320 px, and the focus is somewhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { asOwnWork } from './long-tasks.ts'
import { expectNoSidewaysScroll } from './rig.ts'
import { THEMES } from './walk.ts'

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

export const expectGood = (page: Page, name: string): Promise<void> =>
  asOwnWork(page, () => expectNothingFound(page, name))

async function expectNothingFound(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
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
