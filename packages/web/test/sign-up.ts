// A newcomer's way in, by the link that a console prints.
import type { Page } from 'playwright-core'

export const EMAIL = 'ann@example.com'
export const PASSWORD = 'kestrel over the harbour'

export async function signUpAt(page: Page, setupUrl: string): Promise<void> {
  await page.goto(setupUrl)
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'How people reach it' }).waitFor()
}
