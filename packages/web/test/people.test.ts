// People: an admin invites a watcher, who sees one Flock and changes nothing; what one may not do is disabled and says why.
import { expect } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { sshLogin, subject } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { inBrowser, openInbox, openSignedIn, PASSWORD, PHONE, rowsOf } from './rig.ts'

const it = inBrowser()
const SHOTS = process.env['PICTURES']

it('a watcher of one Flock, invited in the page, sees that Flock alone, everywhere', async (rig) => {
  const { rookery, page, complaints } = await openSignedIn(rig)
  const { flock_id: plant } = await rookery.api.flocks.create({ name: 'Plant' })
  const here = await registeredBird(rookery, { name: 'nas-plant', flock_id: plant })
  const there = await registeredBird(rookery, { name: 'nas-berlin' })
  const touch = (nodeId: string, name: string, flockId: string, srcHost: string) =>
    rookery.console.ingest.fromConsole({
      ...sshLogin({ nodeId, srcHost }),
      subject: { ...subject, name, flockId },
    })
  const touchHere = (srcHost: string) => touch(here, 'nas-plant', plant, srcHost)
  const touchThere = (srcHost: string) => touch(there, 'nas-berlin', 'flock:default', srcHost)
  await touchHere('192.0.2.7')
  await touchThere('198.51.100.9')
  const { rows } = await rookery.api.incidentViews.rows({})
  const hashOf = (id: string): string => rows.find(({ flock_id }) => flock_id === id)?.hash_id ?? ''

  await page.goto(`${rookery.console.apiUrl}/`)
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await page.getByLabel('Email').fill('bea@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('watcher')
  await page.getByLabel('Flock', { exact: true }).selectOption({ label: 'Plant' })
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = page.getByText(/\/invite#[0-9a-f]{32}$/)
  await link.waitFor()
  const url = (await link.textContent()) ?? ''
  expect(await page.getByLabel('Role of bea@example.com in Plant').inputValue()).toBe('watcher')
  await expectGood(page, 'people')
  for (const theme of ['dark', 'light'] as const)
    for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
      if (!SHOTS) continue
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize(viewport)
      await page.screenshot({ path: `${SHOTS}/people-${theme}-${viewport.width}.png` })
    }
  await page.setViewportSize({ width: 1280, height: 800 })

  const bea = await rig.open()
  await bea.page.goto(url)
  await bea.page.getByText('bea@example.com').waitFor()
  await expectGood(bea.page, 'invitation')
  if (SHOTS) await bea.page.screenshot({ path: `${SHOTS}/invite.png` })
  await bea.page.getByLabel('Password').fill(PASSWORD)
  await bea.page.getByRole('button', { name: 'Continue' }).click()
  await bea.page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
  await bea.page.getByText('nas-plant').first().waitFor()
  expect(await rowsOf(bea.page)).toBe(1)
  expect(await bea.page.getByText('nas-berlin').count()).toBe(0)
  expect(await bea.page.getByRole('link', { name: 'People' }).count()).toBe(0)
  // What happens elsewhere does not even ring; what happens here comes.
  await touchThere('198.51.100.10')
  await touchHere('192.0.2.8')
  await expect.poll(() => rowsOf(bea.page)).toBe(2)
  await bea.page.goto(`${rookery.console.apiUrl}/incidents/${hashOf('flock:default')}`)
  await bea.page.getByText('There is no such incident, or you may not see it.').waitFor()
  await bea.page.goto(`${rookery.console.apiUrl}/?flock=flock:default`)
  await bea.page.getByRole('alert').waitFor()
  await bea.page.goto(`${rookery.console.apiUrl}/people`)
  await bea.page.getByText('Only admins can do this.').waitFor()
  expect(await bea.page.getByText('ann@example.com').count()).toBe(0)
  await bea.page.goto(`${rookery.console.apiUrl}/incidents/${hashOf(plant)}`)
  const acknowledge = bea.page.getByRole('button', { name: 'Acknowledge' })
  await acknowledge.waitFor()
  expect(await acknowledge.getAttribute('aria-disabled')).toBe('true')
  await acknowledge.focus()
  await bea.page
    .getByRole('tooltip', { name: /Only who manages a Flock/ })
    .first()
    .waitFor()
  await bea.page.keyboard.press('e')
  await expectGood(bea.page, 'incident of a watcher')
  if (SHOTS) await bea.page.screenshot({ path: `${SHOTS}/incident-watcher.png` })
  expect((await rookery.api.incidentViews.rows({ state: 'acknowledged' })).total).toBe(0)
  await openInbox(bea.page, rookery)
  await bea.page.getByText('nas-plant').first().waitFor()

  // Disabled, she is out of the page that stands open.
  await page
    .getByRole('row', { name: /bea@example\.com/ })
    .getByRole('button', { name: 'Disable' })
    .click()
  await bea.page.getByText('Your session ended.').waitFor()
  await page.getByText('bea@example.com is disabled and signed out.').waitFor()
  expect([...complaints, ...bea.complaints]).toEqual([])
})

it('a reset link lets a person choose a new password, once', async (rig) => {
  const { rookery, page, complaints } = await openSignedIn(rig)
  const { url } = await rookery.api.users.resetLink({ email: 'ann@example.com' })
  const other = await rig.open()
  await other.page.goto(url)
  await other.page.getByLabel('Password').fill('heron under the lighthouse')
  await expectGood(other.page, 'reset')
  if (SHOTS) await other.page.screenshot({ path: `${SHOTS}/reset.png` })
  await other.page.getByRole('button', { name: 'Continue' }).click()
  await other.page.getByText('The new password is set').waitFor()
  await other.page.goto(`${url.replace(/#.*/, '')}?again#${url.split('#')[1] ?? ''}`)
  await other.page.getByText('This link does not work any more.').waitFor()
  await expectGood(other.page, 'used link')
  await page.goto(`${rookery.console.apiUrl}/`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect([...complaints, ...other.complaints]).toEqual([])
})

it('a person gets another address and access, and is deleted once the address is typed', async (rig) => {
  const { rookery, page, complaints } = await openSignedIn(rig)
  await rookery.api.users.create({ email: 'bea@example.com', password: PASSWORD })
  await page.goto(`${rookery.console.apiUrl}/people`)
  const row = (email: string) => page.getByRole('row', { name: new RegExp(email.replaceAll('.', '\\.')) })
  expect(
    await row('ann@example.com').getByRole('button', { name: 'Delete…' }).getAttribute('aria-disabled'),
  ).toBe('true')
  await row('bea@example.com').getByRole('button', { name: 'Change…' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Email').fill('ann@example.com')
  await form.getByLabel('Note').fill('Night shift')
  await form.getByRole('button', { name: 'Save' }).click()
  // What is refused stays typed.
  await form
    .getByText(/ann@example\.com/)
    .last()
    .waitFor()
  await expectGood(page, 'change of a person')
  expect(await form.getByLabel('Note').inputValue()).toBe('Night shift')
  await form.getByLabel('Email').fill('bea@example.org')
  await form.getByLabel('Access').selectOption('admin')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('bea@example.org is changed.').waitFor()
  await row('bea@example.org').getByText('Admin').waitFor()
  const { user } = await rookery.api.users.read({ email: 'bea@example.org' })
  expect(user).toMatchObject({ access_level: 'admin', note: 'Night shift' })
  // By keyboard alone.
  await row('bea@example.org').getByRole('button', { name: 'Delete…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel(/^Type/).focus()
  await page.keyboard.type('bea@example.org')
  await expectGood(page, 'delete a person')
  await page.keyboard.press('Enter')
  await page.getByText('bea@example.org is deleted.').waitFor()
  await expect.poll(() => row('bea@example.org').count()).toBe(0)
  expect((await rookery.api.users.list()).users.map(({ email }) => email)).toEqual(['ann@example.com'])
  expect(complaints).toEqual([])
})
