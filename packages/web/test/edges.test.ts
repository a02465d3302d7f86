// Browsers, addresses and consoles that are not as one wishes: each is met in its own words.
import { expect } from 'vitest'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { addPerson, ANN, PASSWORD } from '@rookery/console/test/person.ts'
import { freshDatabase, openTestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { ELSEWHERE } from './browser.ts'
import { inBrowser, openInbox, openSignedIn, rowsOf, signUp } from './rig.ts'
import { seed } from './seed.ts'

const it = inBrowser()

/** How many calls of an operation the page makes from now on. */
function callsOf(page: Page, path: string): () => number {
  let n = 0
  page.on('request', (request) => {
    if (request.url().endsWith(path)) n++
  })
  return () => n
}

it('signing in: not over plain HTTP elsewhere, not without cookies, and once when sent twice', async (rig) => {
  const rookery = await openTestConsole()
  await addPerson(rookery)
  const { page, context, complaints } = await rig.open()
  const url = new URL(rookery.console.apiUrl ?? '')
  await page.goto(`http://${ELSEWHERE}:${url.port}/`)
  await page.getByText('This address is not encrypted, so passwords stay locked.').waitFor()
  await page.getByText('Open this console by https, or at http://127.0.0.1').waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)

  const password = '**/api/v1/session/password'
  await context.route(password, async (route) => {
    const answer = await route.fetch()
    await context.clearCookies()
    await route.fulfill({ response: answer, headers: { 'content-type': 'application/json' } })
  })
  await page.goto(`${url.origin}/sign-in`)
  await page.getByLabel('Email').fill(ANN)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByRole('alert')
    .getByText(/This browser did not keep the cookie of the session\./)
    .waitFor()
  await context.unroute(password)

  const signIns = callsOf(page, '/session/password')
  await page.getByLabel('Password').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Incidents' }).waitFor()
  expect(signIns()).toBe(1)
  // Of plain HTTP the browser itself complains.
  expect(complaints.filter((it) => !it.startsWith('The Cross-Origin-Opener-Policy'))).toEqual([])
})

it('two tabs share one stream, and the one that is left goes on', async (rig) => {
  const { page, context, rookery } = await openSignedIn(rig)
  let streams = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/live')) streams++
  })
  const live = (tab: Page) => tab.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  await openInbox(page, rookery)
  await live(page)
  const other = await context.newPage()
  await openInbox(other, rookery)
  await live(other)
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.1' }))
  await expect.poll(() => rowsOf(page)).toBe(1)
  await expect.poll(() => rowsOf(other)).toBe(1)
  expect(streams).toBe(1)
  await page.close()
  await expect.poll(() => streams).toBe(2)
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.2' }))
  await expect.poll(() => rowsOf(other)).toBe(2)
})

it('a console whose database takes no change shows what there is, says why, and changes it later', async (rig) => {
  const url = await freshDatabase()
  const rookery = await openTestConsole({
    env: { ROOKERY_DATABASE_URL: url, ROOKERY_MASTER_KEY: 'ab'.repeat(32) },
  })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await seed(rookery, 1)
  await openInbox(page, rookery)
  await expect.poll(() => rowsOf(page)).toBe(1)
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  /** For connections that begin from now on; the console's are ended. */
  const set = async (readOnly: 'on' | 'off'): Promise<void> => {
    await server.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${readOnly}`,
    )
    await server.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
  }
  await set('on')
  await page.getByRole('grid').focus()
  await page.keyboard.press('e')
  await page
    .getByRole('status')
    .getByText(/^Not done: .*database/)
    .waitFor()
  await expect.poll(() => rowsOf(page)).toBe(1)
  await page.reload()
  await expect.poll(() => rowsOf(page)).toBe(1)
  await set('off')
  await server.end()
  await page.getByRole('grid').focus()
  await expect
    .poll(async () => {
      await page.keyboard.press('e')
      return rowsOf(page)
    })
    .toBe(0)
  expect(complaints).toEqual([])
})

it('a comment sent twice is added once; a console newer than its page offers to reload', async (rig) => {
  const { page, context, rookery, complaints } = await openSignedIn(rig)
  await seed(rookery, 1)
  const [row] = (await rookery.api.incidentViews.rows({})).rows
  await page.goto(`${rookery.console.apiUrl}/incidents/${row?.hash_id}`)
  await page.getByRole('textbox', { name: 'Comment' }).fill('Asked the owner')
  const comments = callsOf(page, '/incident/comment')
  await page.getByRole('button', { name: 'Add comment' }).dblclick()
  const said = page.getByRole('listitem').filter({ hasText: 'Asked the owner' })
  await said.waitFor()
  expect([comments(), await said.count()]).toEqual([1, 1])

  const offer = page.getByRole('status').filter({ hasText: 'The console was updated.' })
  expect(await offer.count()).toBe(0)
  const incident = '**/api/v1/incident*/**'
  await context.route(incident, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-rookery-version': '99.0.0' } })
  })
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.1' }))
  await offer.waitFor()
  await Promise.all([page.waitForEvent('load'), offer.getByRole('button', { name: 'Reload' }).click()])
  await said.waitFor()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  expect(complaints).toEqual([])
})
