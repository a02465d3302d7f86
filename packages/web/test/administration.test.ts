// API keys and settings: a key made, shown once and revoked; the switch of the API; what is set where.
import { expect } from 'vitest'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { systemClock } from '@rookery/console/world/system.ts'
import { inBrowser, openSignedIn, PASSWORD, signUp } from './rig.ts'

const it = inBrowser()

it('a key is made, shown once, used and revoked; the switch of the API names the keys that it shuts out', async (rig) => {
  const rookery = await openTestConsole({ env: { ROOKERY_KEYS: 'show-once' } })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/`)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  await page.getByRole('row', { name: /First key/ }).waitFor()
  await page.getByLabel('Note').fill('Wall display')
  await page.getByLabel('Addresses').fill('10.0.0.0/8, nonsense')
  await page.getByRole('button', { name: 'New key' }).click()
  await expect.poll(() => page.getByLabel('Addresses').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Addresses').fill('127.0.0.0/8')
  await page.getByLabel('Expires on').fill('2099-01-01')
  await page.getByRole('button', { name: 'New key' }).click()
  const made = page.getByRole('region', { name: 'New key' })
  await made.getByText('The new key is shown here once.').waitFor()
  expect(await made.evaluate((it) => it === document.activeElement)).toBe(true)
  const key = (await made.locator('pre').first().textContent()) ?? ''
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect((await rookery.get('/flocks/list', {}, key)).status).toBe(200)
  const row = page.getByRole('row', { name: /Wall display/ })
  await expect.poll(() => row.textContent()).toMatch(/Read-only.*127\.0\.0\.0\/8.*2099/)
  expect(await row.getByRole('button', { name: 'Copy key' }).count()).toBe(0)
  await expectGood(page, 'API keys')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  expect(await page.content()).not.toContain(key)
  const focus = () => page.evaluate(() => document.activeElement?.tagName)
  expect(await focus()).toBe('H1')

  await page.getByRole('button', { name: 'Switch the API off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch the API off?' })
  await dialog.getByText('This shuts out 2 keys').waitFor()
  await dialog.getByRole('listitem').filter({ hasText: 'Wall display' }).waitFor()
  await expectGood(page, 'the API is about to be off')
  await dialog.getByRole('button', { name: 'Switch the API off' }).click()
  await page.getByText('The API is off: every key is refused.').waitFor()
  expect((await rookery.get('/flocks/list', {}, key)).status).toBe(403)
  await page.getByRole('button', { name: 'Switch the API on' }).click()
  await page.getByText('The API is on: keys work.').waitFor()

  await row.getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('It stops working at once').waitFor()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  await expect.poll(focus).toBe('H1')
  expect((await rookery.get('/flocks/list', {}, key)).status).toBe(401)
  const last = page.getByRole('row', { name: /First key/ })
  await last.getByRole('button', { name: 'Revoke' }).click()
  await last.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('This is the last admin key that works.').waitFor()
  expect(complaints).toEqual([])
})

it('settings say which option sets them, and the others are changed in place', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/`)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Set with ROOKERY_PUBLIC_URL when the console starts.').waitFor()
  const alerts = page.getByRole('switch', { name: 'Send alerts' })
  expect(await alerts.isChecked()).toBe(true)
  await alerts.click()
  await expect.poll(() => alerts.isChecked()).toBe(false)
  expect((await rookery.api.consoleSettings.read()).settings.webhooks_enabled).toBe(false)
  const { base, ingest } = rookery.console
  await ingest.fromConsole(sshLogin())
  await rookery.api.incidentActions.acknowledgeMany({ filter_logtypes: '4002' })
  const monthsAgo = systemClock.now() - 40 * 86_400_000
  await base.writer.write((tx) =>
    tx.query
      .updateTable('incident_state')
      .set({ updated_at: monthsAgo, created_at: monthsAgo })
      .where('acknowledged', '=', 1)
      .execute(),
  )
  const kept = page.getByRole('form', { name: 'How long things are kept' })
  await kept.getByText('0 incidents and 0 deliveries would go now.').waitFor()
  await kept.getByLabel('Days for incidents that are done with').fill('30')
  await kept.getByText('1 incident and 0 deliveries would go now.').waitFor()
  await kept.getByLabel('Days for the log of deliveries').fill('3')
  await kept.getByRole('button', { name: 'Save' }).click()
  await kept.getByText('must be 0 or at least 7, not 3').waitFor()
  await kept.getByLabel('Days for the log of deliveries').fill('60')
  await kept.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').first().waitFor()
  expect(await rookery.api.retention.read()).toMatchObject({ incident_days: 30, delivery_days: 60 })
  await expectGood(page, 'general settings')

  await page.getByRole('link', { name: 'Sign-in' }).click()
  await page.getByLabel('A session ends after so many minutes without a call').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() =>
      page.getByLabel('A session ends after so many minutes without a call').getAttribute('aria-invalid'),
    )
    .toBe('true')
  await expectGood(page, 'settings of signing in')
  await page.getByLabel('A session ends after so many minutes without a call').fill('60')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect(await rookery.api.signInSettings.read()).toMatchObject({ idle_minutes: 60 })
  // This would shut out the person who does it.
  await page.getByLabel('Everybody needs a second factor').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Add a second factor of your own first').waitFor()

  await page.getByRole('link', { name: 'Integrations' }).click()
  const assets = page.getByRole('switch', { name: 'Show its entries' })
  expect(await assets.getAttribute('aria-disabled')).toBe('true')
  await page.getByText('Set ROOKERY_ASSETINV_URL first').waitFor()
  await expectGood(page, 'integrations')
  await page.getByRole('link', { name: 'About' }).click()
  await page.getByText('Apache License 2.0').waitFor()
  await expectGood(page, 'about')
  expect(complaints).toEqual([])
})

it('pages of the house say that the console refused, or does not answer', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  const at = (path: string) => page.goto(`${rookery.console.apiUrl}${path}`)
  await at('/overview?from=2026-02-01-00:00:00&to=2026-01-01-00:00:00')
  await page.getByText('newer_than must be a time before older_than').first().waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('The end must lie behind the beginning.').waitFor()
  await expectGood(page, 'a report of no time')
  await page.route('**/api/v1/{incidents,auth_token,settings,flocks,audit_trail}/**', (route) =>
    route.abort(),
  )
  for (const path of ['/overview', '/keys', '/settings/sign-in', '/audit']) {
    await at(path)
    await page.getByText('Not connected.').first().waitFor()
    await expectGood(page, `${path}, not connected`)
  }
  expect(complaints).toEqual([])
})

it('the list of keys asks for another proof where the last one is old', async (rig) => {
  let ahead = 0
  const rookery = await openTestConsole({
    world: { clock: { ...systemClock, now: () => systemClock.now() + ahead } },
  })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  ahead = 11 * 60_000
  await page.goto(`${rookery.console.apiUrl}/keys`)
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('This needs another proof that it is you.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('row', { name: /First key/ }).waitFor()
  expect(complaints).toEqual([])
})
