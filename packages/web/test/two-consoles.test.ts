// Two consoles on one PostgreSQL: what somebody does at one shows in the page of the other, which nobody reloads.
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { freshDatabase, openTestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { inBrowser, signUp } from './rig.ts'

const it = inBrowser()

const isLive = (page: Page) => page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()

it('an incident, a Flock, a key and a person that one changes change in the page of the other', async (rig) => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const one = await openTestConsole({ env })
  const other = await openTestConsole({ env })
  const { page, complaints } = await rig.open()
  await signUp(page, one)
  const took: string[] = []
  /** From the answer of the other console to the sight of it. */
  const shows = async (what: string, path: string, change: () => Promise<unknown>, seen: () => Locator) => {
    await page.goto(`${one.console.apiUrl}${path}`)
    await isLive(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await seen().count()).toBe(0)
    await change()
    const from = performance.now()
    await seen().first().waitFor()
    took.push(`${what} ${Math.round(performance.now() - from)} ms`)
  }
  await other.console.ingest.fromConsole(sshLogin())
  const [row] = (await other.api.incidentViews.rows({})).rows
  const { flock_id } = await other.api.flocks.create({ name: 'Plant' })
  const { global_api_key: key } = await other.api.apiKeys.add({
    auth_token_type: 'read-only',
    note: 'Dashboard',
  })
  const text = (it: string) => () => page.getByRole('main').getByText(it)

  await shows(
    'acknowledged',
    `/incidents/${row?.hash_id}`,
    () => other.api.incidentActions.acknowledge({ incident: row?.key ?? '' }),
    text('Acknowledged by'),
  )
  await shows(
    'renamed',
    `/flocks/${flock_id}`,
    () => other.api.flocks.rename({ flock_id, name: 'Works' }),
    text('Works'),
  )
  await shows('listed', '/flocks', () => other.api.flocks.create({ name: 'Berlin' }), text('Berlin'))
  await shows('on a card', '/overview', () => other.api.flocks.create({ name: 'Harbour' }), text('Harbour'))
  await shows(
    'a person',
    '/people',
    () => other.api.users.invite({ email: 'bea@example.com', access_level: 'user' }),
    text('bea@example.com'),
  )
  await shows(
    'a new key',
    '/keys',
    () => other.api.apiKeys.add({ auth_token_type: 'admin', note: 'Nightly' }),
    text('Nightly'),
  )
  const revoked = page.getByRole('main').getByText('Dashboard')
  await revoked.waitFor()
  await other.api.apiKeys.remove({ key_id: key.key_id })
  const from = performance.now()
  await revoked.waitFor({ state: 'detached' })
  took.push(`revoked ${Math.round(performance.now() - from)} ms`)
  console.log(`shown at the other console: ${took.join(', ')}`)
  expect(complaints).toEqual([])
})
