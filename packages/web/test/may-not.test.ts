// What one may not do: every button that changes a Flock is disabled and says why; a manager has their own Flock to begin with.
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { addApp } from '@rookery/console/test/factors.ts'
import { addPerson, PASSWORD, signIn } from '@rookery/console/test/person.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { inBrowser, openSignedIn } from './rig.ts'

const it = inBrowser()
const BEA = 'bea@example.com'
const WATCHES = 'Only who manages a Flock can do this; you watch.'

/** Bea, who has this role in a Flock of her own and in no other. */
async function addBea(rookery: TestConsole, role: 'manager' | 'watcher'): Promise<string> {
  const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
  await addPerson(rookery, BEA, { access_level: 'user' })
  await rookery.api.users.assign({ email: BEA, flock_id, role })
  return flock_id
}

async function enter(page: Page, rookery: TestConsole): Promise<void> {
  await page.goto(`${rookery.console.apiUrl}/sign-in`)
  await page.getByLabel('Email').fill(BEA)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
}

it('a watcher finds each button that changes something disabled, with the reason', async (rig) => {
  const { rookery } = await openSignedIn(rig)
  const flock = await addBea(rookery, 'watcher')
  const bird = await registeredBird(rookery, { flock_id: flock })
  const login = sshLogin()
  await rookery.console.ingest.fromConsole({ ...login, subject: { ...login.subject, flockId: flock } })
  const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: 'Wiki', flock_id: flock })
  const { page, complaints } = await rig.open()
  await enter(page, rookery)
  const pages: Readonly<Record<string, readonly string[]>> = {
    '/birds': ['Move', 'Mute', 'Settings…', 'Reboot'],
    '/birds/new': ['Create code'],
    [`/birds/${bird}/services`]: ['Review'],
    '/flocks': ['Create'],
    [`/flocks/${flock}`]: ['Change settings of all its Birds…', 'Rename', 'Delete', 'Save'],
    '/tokens': ['Disable 1', 'Delete 1'],
    '/tokens/new/http': ['Create'],
    '/tokens/import': ['Create'],
    [`/tokens/${decoytoken.decoytoken}`]: ['Disable', 'Delete', 'Test it'],
    [`/tokens/${decoytoken.decoytoken}/settings`]: ['Save'],
    '/tokens/factories': ['Create factory'],
    '/sources/192.0.2.7': ['Acknowledge 1'],
  }
  for (const [path, names] of Object.entries(pages)) {
    await page.goto(`${rookery.console.apiUrl}${path}`)
    if (path === '/birds' || path === '/tokens')
      await page
        .getByRole('main')
        .getByRole('checkbox', { name: /^Select / })
        .last()
        .check()
    for (const name of names) {
      const button = page.getByRole('main').getByRole('button', { name, exact: true }).first()
      await button.waitFor()
      expect([path, name, await button.getAttribute('aria-disabled')]).toEqual([path, name, 'true'])
      const reason = await button.evaluate(
        (it) => document.getElementById(it.getAttribute('aria-describedby') ?? '')?.textContent,
      )
      expect([path, name, reason]).toEqual([
        path,
        name,
        path === '/flocks' ? 'Only admins can do this.' : WATCHES,
      ])
    }
  }
  // Enter in a field sends the form no more than its button does.
  await page.goto(`${rookery.console.apiUrl}/flocks/${flock}`)
  const posted: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.keyboard.press('Enter')
  for (const path of ['/birds/pending', '/keys', '/settings/general', '/settings/sign-in']) {
    await page.goto(`${rookery.console.apiUrl}${path}`)
    await page.getByText('Only admins can do this.').waitFor()
  }
  await page.goto(`${rookery.console.apiUrl}/settings`)
  await page.getByText('Apache License 2.0').waitFor()
  // Of the machine of the console they are shown nothing, and miss nothing.
  await page.goto(`${rookery.console.apiUrl}/overview`)
  await page.getByRole('heading', { name: 'Health' }).waitFor()
  await page.getByText('Incidents of this Flock reach nobody:').waitFor()
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
  expect(posted).toEqual([])
  expect(complaints).toEqual([])
})

it('a manager plants a token in the own Flock, which is the one that the form begins with', async (rig) => {
  const { rookery } = await openSignedIn(rig)
  const flock = await addBea(rookery, 'manager')
  const { page, complaints } = await rig.open()
  await enter(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/tokens/new/http`)
  await page.getByLabel('Memo').fill('Wiki of the plant')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Where to put it' }).waitFor()
  expect((await rookery.api.tokens.search({})).tokens).toMatchObject([{ flock_id: flock }])
  await page.goto(`${rookery.console.apiUrl}/birds/new`)
  await page.getByRole('button', { name: 'Create code' }).click()
  await page
    .getByText(/rookery bird/)
    .first()
    .waitFor()
  expect((await rookery.api.enrolments.list()).enrolments).toMatchObject([{ flock_id: flock }])
  expect(complaints).toEqual([])
})

it('an admin removes the second factor that somebody lost', async (rig) => {
  const { rookery, page, complaints } = await openSignedIn(rig)
  await addBea(rookery, 'watcher')
  await addApp(rookery, (await signIn(rookery, { email: BEA })).halves)
  await page.goto(`${rookery.console.apiUrl}/people`)
  const row = page.getByRole('row', { name: /bea@example\.com/ })
  const reset = row.getByRole('button', { name: 'Reset second factor' })
  await reset.click()
  await row.getByText('They sign in by the password alone').waitFor()
  await reset.click()
  await page.getByText('bea@example.com has no second factor any more, and is signed out.').waitFor()
  await expect.poll(() => reset.getAttribute('aria-disabled')).toBe('true')
  expect((await signIn(rookery, { email: BEA })).json['needs_factor']).toBe(false)
  expect(complaints).toEqual([])
})
