// What intruders write, in every place of each page: it stays text, in its cell.
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { pendingBird, registeredBird } from '@rookery/console/test/birds.ts'
import { openTestConsole, type TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { EMAIL, expectNoSidewaysScroll, grid, inBrowser, openInbox, PHONE, rowsOf, signUp } from './rig.ts'
import { CORPUS } from './seed.ts'

const it = inBrowser()

const ALL = '198.51.100.1'

/** A login with the text in each place, by a source of its own, and once more by one source that tries them all. */
async function plant(
  rookery: TestConsole,
): Promise<{ readonly all: string; readonly token: string; readonly others: string[] }> {
  const login = (text: string, srcHost: string, nodeId: string) =>
    rookery.console.ingest.fromConsole(
      sshLogin({ srcHost, nodeId, fields: { USERNAME: text, PASSWORD: text, [text.slice(0, 60)]: text } }),
    )
  for (const [n, text] of CORPUS.entries()) {
    await login(text, `192.0.2.${n + 1}`, `${n}`.padStart(16, '0'))
    await login(text, ALL, 'f'.repeat(16))
  }
  const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: CORPUS[1] ?? '' })
  await fetch(new URL(new URL(decoytoken.url ?? '').pathname, rookery.console.tokensUrl), {
    headers: { 'User-Agent': CORPUS[0] ?? '', Referer: CORPUS[15] ?? '' },
  })
  const rows = async () => (await rookery.api.incidentViews.rows({ limit: 1_000 })).rows
  await expect.poll(async () => (await rows()).length).toBe(ROWS)
  const found = await rows()
  const hashOf = (is: (row: (typeof found)[number]) => boolean) => found.find(is)?.hash_id ?? ''
  const key = found.find(({ src_host }) => src_host === ALL)?.key ?? ''
  let kept = 0
  for (const text of CORPUS) {
    const said = await rookery.post('/incident/comment', { incident: key, comment: text.slice(0, 1_000) })
    if (said.status === 200) kept++
  }
  expect(kept).toBeGreaterThan(20)
  return {
    all: hashOf(({ src_host }) => src_host === ALL),
    token: hashOf(({ is_token }) => is_token),
    others: found.map(({ hash_id }) => hash_id),
  }
}

/** One for each text, one for all of them, one of the token. */
const ROWS = CORPUS.length + 2

/** Elements that only an intruder could have made: scripts of no file, pictures, frames, handlers, foreign links. */
const intruders = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'script:not([src^="/"]), iframe, object, embed, img:not([src="/icon.svg"]), [onerror], [onload], a[href*="evil"], a[href^="javascript"], #root style',
      ),
    ].map((it) => it.outerHTML.slice(0, 200)),
  )

async function expectTextAlone(page: Page): Promise<void> {
  expect(await intruders(page)).toEqual([])
  await expectNoSidewaysScroll(page)
}

it('texts of intruders stay text, and in their cells', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  const { all, token, others } = await plant(rookery)
  await openInbox(page, rookery)
  await expect.poll(() => rowsOf(page)).toBeGreaterThan(5)
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const viewport of [
      { width: 1280, height: 3_000 },
      { ...PHONE, height: 4_000 },
    ]) {
      await page.setViewportSize(viewport)
      await expect.poll(() => rowsOf(page)).toBe(ROWS)
      await expectTextAlone(page)
      const wide = await grid(page).evaluate((box) =>
        [...box.querySelectorAll('[role="row"]')]
          .filter((row) => row.scrollWidth > box.clientWidth)
          .map((row) => row.id),
      )
      expect(wide).toEqual([])
    }
  }
  await page.setViewportSize(PHONE)
  // `npm run proof -- ui` opens each; here those that hold every text.
  for (const hash of [all, token, ...(process.env['ROOKERY_PROOF'] ? others : [])]) {
    await page.goto(`${rookery.console.apiUrl}/incidents/${hash}`)
    await page.getByText('What it means').waitFor()
    // Everything is open: the raw event, the passwords, a long text.
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    for (const event of await page.locator('li > details > summary').all()) await event.click()
    for (const name of [/^Show$/, /^show$/])
      for (const button of await page.getByRole('button', { name }).all())
        await button.click({ timeout: 1_000 }).catch(() => undefined)
    await expectTextAlone(page)
  }
  for (const source of [ALL, '192.0.2.2', encodeURIComponent(CORPUS[0] ?? '')]) {
    await page.goto(`${rookery.console.apiUrl}/sources/${source}`)
    await page.getByText(/^(Credentials tried|This is no IP address.*)$/).waitFor()
    await expectTextAlone(page)
  }
  for (const text of CORPUS.slice(0, 3)) {
    await openInbox(
      page,
      rookery,
      `?${new URLSearchParams({ q: text.slice(0, 200), source: text.slice(0, 200), peek: text })}`,
    )
    await expectTextAlone(page)
  }
  expect(complaints).toEqual([])
})

it('memos, placements and headers stay text on the pages of tokens', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await rookery.api.flocks.create({ name: (CORPUS[1] ?? '').slice(0, 100) })
  const { decoytoken: token } = await rookery.api.tokens.create({ kind: 'http', memo: CORPUS[1] ?? '' })
  for (const text of CORPUS)
    await rookery.post('/decoytoken/create', {
      kind: 'dns',
      memo: text.slice(0, 5_000),
      placement: text.slice(0, 900),
    })
  const { total_results } = await rookery.api.tokens.search({})
  expect(total_results).toBeGreaterThan(20)
  for (const text of CORPUS)
    await fetch(new URL(new URL(token.url).pathname, rookery.console.tokensUrl), {
      headers: { 'User-Agent': encodeURI(text.toWellFormed().slice(0, 2_000)), Referer: CORPUS[15] ?? '' },
    }).catch(() => undefined)
  await rookery.api.tokens.update({ decoytoken: token.decoytoken, placement: CORPUS[0] ?? '' })
  for (const viewport of [{ width: 1280, height: 3_000 }, PHONE]) {
    await page.setViewportSize(viewport)
    for (const path of ['', '?q=%3Cscript%3E&kind=%22%3E', '/new/http', `/${token.decoytoken}`]) {
      await page.goto(`${rookery.console.apiUrl}/tokens${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path === '') {
        const table = page.getByRole('table', { name: 'Tokens' })
        await table.getByRole('row').nth(5).waitFor()
        const wide = await table.evaluate((box) => box.scrollWidth - box.clientWidth)
        expect(wide).toBe(0)
      }
      await expectTextAlone(page)
    }
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Placement').waitFor()
    await expectTextAlone(page)
    await page.getByRole('link', { name: 'History' }).click()
    await page.locator('summary').first().waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    await expectTextAlone(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expectTextAlone(page)
  }
  expect(complaints).toEqual([])
})

it('a part that throws leaves the rest standing', async (rig) => {
  const rookery = await openTestConsole()
  const { page } = await rig.open()
  await signUp(page, rookery)
  await rookery.console.ingest.fromConsole(sshLogin())
  const [row] = (await rookery.api.incidentViews.rows({})).rows
  // Events in a form that no console sends: the timeline and the credentials cannot show them.
  await page.route('**/api/v1/incident/events*', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({ events: [{ nth: 1, at: 'x', fields: null }] }),
    }),
  )
  await page.goto(`${rookery.console.apiUrl}/incidents/${row?.hash_id}`)
  await page.getByText('This part of the page failed.').first().waitFor()
  await page.getByRole('heading', { name: 'What it means' }).waitFor()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged by').waitFor()
})

it('names of Birds and Flocks stay text, and in their cells', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  const names = CORPUS.map((text) => text.slice(0, 255).toWellFormed().replaceAll('\0', ''))
  let flock_id = 'flock:default'
  for (const name of names) {
    const made = await rookery.post('/flock/create', { name: name.slice(0, 100) })
    if (made.status === 200) flock_id = String(made.json['flock_id'])
    const more = {
      name,
      description: name,
      location: name,
      settings_failure: name,
      version: name.slice(0, 40),
    }
    await registeredBird(rookery, { ...more, note: name, flock_id, ip_address: name.slice(0, 60), live: 1 })
    await pendingBird(rookery, { ...more, sensor: name.slice(0, 40) })
    await pendingBird(rookery, { ...more, state: 'queued', flock_id: 'flock:default' })
  }
  const [first] = (await rookery.api.birdQueries.rows({})).rows
  for (const viewport of [PHONE, { width: 1280, height: 3_000 }]) {
    await page.setViewportSize(viewport)
    for (const path of [
      '/birds',
      '/birds/pending',
      `/birds/${first?.node_id}`,
      '/flocks',
      `/flocks/${flock_id}`,
      '/flocks/flock:default',
    ]) {
      await page.goto(`${rookery.console.apiUrl}${path}`)
      await page.locator('main bdi').first().waitFor()
      if (path.endsWith('flock:default')) await page.getByText('Waiting for room').waitFor()
      if (path.startsWith('/birds/') && path !== '/birds/pending')
        await page.getByRole('button', { name: 'Decommission…' }).click()
      await expectTextAlone(page)
    }
  }
  expect(complaints).toEqual([])
})

it('notes of keys and names of Flocks stay text on the pages of the house', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  for (const text of CORPUS) {
    await rookery.post('/auth_token/add', { auth_token_type: 'read-only', note: text.slice(0, 9_000) })
    await rookery.post('/flock/create', { name: text.slice(0, 100) })
  }
  await rookery.api.users.update({ email: EMAIL, note: (CORPUS[0] ?? '').slice(0, 9_000) })
  expect((await rookery.api.apiKeys.list()).global_api_keys.length).toBeGreaterThan(20)
  for (const viewport of [PHONE, { width: 1280, height: 3_000 }])
    for (const [path, seen] of [
      ['/keys', 'New key'],
      ['/audit', 'Audit trail'],
      ['/overview', 'Flocks'],
      ['/overview?from=2026-01-01-00:00:00&to=2099-01-01-00:00:00', 'Gaps in watching'],
      ['/settings', 'Addresses'],
      ['/people', 'Invite a person'],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.goto(`${rookery.console.apiUrl}${path}`)
      await page.getByRole('heading', { name: seen }).first().waitFor()
      if (path === '/keys') {
        await page.getByRole('button', { name: 'Switch the API off' }).click()
        await page.getByRole('dialog').waitFor()
      } else await page.locator('main bdi').filter({ visible: true }).first().waitFor()
      if (path === '/people') await page.getByRole('button', { name: 'Change…' }).click()
      await expectTextAlone(page)
    }
  expect(complaints).toEqual([])
})
