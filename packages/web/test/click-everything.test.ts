// As watcher, manager and admin: every control of every page is acted on. Nothing answers 5xx, nothing is thrown or refused by
// the page's policy, and what is disabled says why.
import { readFileSync } from 'node:fs'
import { expect, it as check } from 'vitest'
import type { Page } from 'playwright-core'
import { addPerson, PASSWORD } from '@rookery/console/test/person.ts'
import { openTestConsole, type TestConsole } from '@rookery/console/test/test-console.ts'
import { isShort } from '@rookery/kernel/test/size.ts'
import { clickAll, watchRequests } from './clicker.ts'
import { PAGES, plantWorld } from './every-page.ts'
import { inBrowser } from './rig.ts'

const it = inBrowser()
const ANN = 'ann@example.com'
/** What would end the test itself. */
const SPARED: readonly (readonly [control: RegExp, why: string])[] = [
  [/"Sign out"/, 'ends the session; it is the last click'],
  [/"End sessions" in "ann@/, 'ends the session, as Sign out does'],
  [/in "First key"/, 'the key that plants again what was clicked away'],
  [/"Switch the API off"/, 'shuts that key out'],
  [/option\] .* in "Go, do or find"/, 'the palette leads to pages, which have their own turn'],
  [/"Everybody needs a second factor/, 'demanded of everybody, it ends every session without one'],
]
const SEED = Number(process.env['ROOKERY_SEED'] ?? Date.now() % 1_000_000)
const ROLES = ['watcher', 'manager', 'admin'] as const
/** `npm test` draws a role, and a page of eight; a whole run does them in three parts. */
const runs = isShort
  ? [{ role: ROLES[SEED % 3] ?? 'admin', pages: PAGES.filter((_, at) => (at + SEED) % 8 === 0) }]
  : ROLES.flatMap((role) =>
      [0, 1, 2].map((part) => ({ role, pages: PAGES.filter((_, at) => at % 3 === part) })),
    )

async function enter(page: Page, rookery: TestConsole): Promise<void> {
  await page.goto(`${rookery.console.apiUrl}/sign-in`)
  await page.getByLabel('Email').fill(ANN)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
}

check('every page of the shell is clicked', () => {
  const source = readFileSync(new URL('../src/routes.tsx', import.meta.url), 'utf8')
  const links = readFileSync(new URL('../src/links.ts', import.meta.url), 'utf8')
  const named = [...source.matchAll(/path: links\.(\w+)/g)].map(
    ([, name]) => new RegExp(`^  ${name}: '(.*)'`, 'm').exec(links)?.[1] ?? '',
  )
  const written = [...source.matchAll(/(?:path: |At\()'([^']+)'/g)].map(([, path = '']) => path)
  const outside = ['/sign-in', '/setup', '/invite', '/reset']
  const clicked = PAGES.map(([, path]) => new URL(path({}), 'http://console').pathname)
  const left = [...named, ...written]
    .filter((path) => !outside.includes(path))
    .filter((path) => !clicked.some((it) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`).test(it)))
  expect(named.length + written.length).toBeGreaterThan(25)
  expect(left).toEqual([])
})

for (const { role, pages } of runs)
  it(`as ${role}: ${pages.map(([name]) => name).join(', ')} (ROOKERY_SEED=${SEED})`, async (rig) => {
    const rookery = await openTestConsole()
    await addPerson(rookery, ANN, { access_level: role === 'admin' ? 'admin' : 'user' })
    if (role !== 'admin') await rookery.api.users.assign({ email: ANN, flock_id: 'flock:default', role })
    const { page, complaints } = await rig.open()
    const failed: string[] = []
    let posted = true
    page.on('popup', (popup) => void popup.close())
    page.on('request', (request) => void (posted ||= request.method() === 'POST'))
    page.on('response', (response) => {
      if (response.status() >= 500) failed.push(`${response.status()} ${response.url()}`)
    })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const settle = watchRequests(page)
    await enter(page, rookery)
    let world = await plantWorld(rookery)
    const findings: string[] = []
    let acted = 0
    /** A link that leads to the same page from many is followed once. */
    let links: readonly string[] = []
    for (const [name, path] of pages) {
      const open = async () => {
        if (posted) world = await plantWorld(rookery)
        posted = false
        await page.goto(`${rookery.console.apiUrl}${path(world)}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
      }
      const seen = new Set(links)
      const said = await clickAll(page, settle, {
        open,
        seen,
        withShell: name === 'about',
        isSpared: (key) => SPARED.some(([control]) => control.test(key)),
      })
      links = [...seen].filter((key) => key.startsWith('link '))
      acted += said.acted
      findings.push(
        ...[...said.findings, ...failed.splice(0), ...complaints.splice(0)].map((it) => `${name}: ${it}`),
      )
    }
    expect(findings).toEqual([])
    console.log(`clicked: ${role}: ${acted} controls of ${pages.length} pages`)
    // The last click may have left a dialog or a menu open.
    await page.goto(`${rookery.console.apiUrl}/`)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
