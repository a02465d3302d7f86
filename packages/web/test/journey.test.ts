// Somebody new opens the printed link, signs up, touches a decoy, and acknowledges what came; an analyst works by keys.
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { EMAIL, grid, inBrowser, openInbox, openSignedIn, PASSWORD, PHONE, rowsOf, signUp } from './rig.ts'
import { seed } from './seed.ts'
import { walk } from './walk.ts'

const it = inBrowser()

it('a newcomer signs up by the printed link, and acknowledges the first touch, in at most 5 clicks more', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`)
  })
  await signUp(page, rookery)
  const { click, done } = walk(page, 'the first touch acknowledged')
  await click('button', 'Continue')
  await page.getByRole('heading', { name: 'Touch it' }).waitFor()
  await rookery.console.ingest.fromConsole(sshLogin())
  await page.getByRole('heading', { name: 'That was it.' }).waitFor()
  await click('link', 'Open the incident')
  await page.getByRole('heading', { name: 'What it means' }).waitFor()
  await page.getByText('With a comment or verdict').click()
  await page.getByLabel('Verdict').selectOption('A test')
  await click('button', 'Acknowledge')
  await page.getByText('Acknowledged by').waitFor()
  await page.getByRole('region', { name: 'Actions' }).getByText('A test.').waitFor()
  done(5)
  expect(complaints).toEqual([])
})

it('the set-up link works once', async (rig) => {
  const { rookery } = await openSignedIn(rig)
  const other = await rig.open()
  await other.page.goto(rookery.console.setupUrl ?? '')
  await other.page.getByText('This console is set up already.').waitFor()
})

it('keys alone: move, extend, peek, acknowledge, undo, open, next, back', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await seed(rookery, 5)
  await openInbox(page, rookery)
  await expect.poll(() => rowsOf(page)).toBe(5)
  const cursor = async () => {
    const id = await grid(page).getAttribute('aria-activedescendant')
    return page.evaluate((it) => document.getElementById(it ?? '')?.getAttribute('aria-rowindex'), id)
  }
  // From the heading, which has the focus, the first letter goes to the list.
  await page.keyboard.press('j')
  await expect.poll(cursor).toBe('3')
  await page.keyboard.press('k')
  await expect.poll(cursor).toBe('2')
  await page.keyboard.press('Shift+J')
  await page.getByRole('button', { name: 'Acknowledge 2' }).waitFor()
  await page.keyboard.press(' ')
  await page
    .getByRole('complementary', { name: 'Incident at a glance' })
    .getByText('What to do now')
    .waitFor()
  await page.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  // The rows leave before the console has answered, and so does the wish to undo.
  const isUndone = Promise.withResolvers<void>()
  await page.route('**/api/v1/incidents/acknowledge', async (route) => {
    const answer = await route.fetch()
    await isUndone.promise
    await route.fulfill({ response: answer })
  })
  await page.keyboard.press('e')
  await expect.poll(() => rowsOf(page)).toBe(3)
  await page.keyboard.press('z')
  isUndone.resolve()
  await expect.poll(() => rowsOf(page)).toBe(5)
  await page.getByRole('button', { name: 'Acknowledge 2' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { level: 1, name: /^SSH Login Attempt/ })
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
  await expect
    .poll(() => page.getByRole('link', { name: /^Incidents/ }).getAttribute('data-active'))
    .toBe('true')
  const first = page.url()
  // A key does nothing until the incident it would act on is there.
  const canAcknowledge = page.getByRole('button', { name: 'Acknowledge' })
  await canAcknowledge.waitFor()
  await page.keyboard.press(']')
  await expect.poll(() => page.url()).not.toBe(first)
  await canAcknowledge.waitFor()
  await page.keyboard.press('[')
  await expect.poll(() => page.url()).toBe(first)
  await canAcknowledge.waitFor()
  await page.keyboard.press('e')
  await page.getByText('Acknowledged by').waitFor()
  await page.keyboard.press('z')
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
  expect(complaints).toEqual([])
})

it('a night is cleared by mouse: no row moves under it, the peek goes on, and no key is lost', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await seed(rookery, 4)
  const { rows } = await rookery.api.incidentViews.rows({})
  await openInbox(page, rookery, `?peek=${rows[1]?.hash_id}`)
  const peek = page.getByRole('complementary', { name: 'Incident at a glance' })
  const place = (n: number) => grid(page).locator('[role="row"][id]').nth(n).boundingBox()
  await peek.getByText(rows[1]?.src_host ?? '?').waitFor()
  const before = await place(2)
  await grid(page).getByRole('checkbox').nth(2).click()
  await page.getByRole('button', { name: 'Acknowledge 1' }).waitFor()
  expect(await place(2)).toEqual(before)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await peek.getByRole('button', { name: 'Acknowledge' }).click()
  await peek.getByText(rows[2]?.src_host ?? '?').waitFor()
  await expect.poll(() => rowsOf(page)).toBe(3)
  await peek.getByRole('button', { name: 'All but this source' }).click()
  await expect.poll(() => rowsOf(page)).toBe(2)
  await page.getByRole('button', { name: 'Clear Source' }).click()
  await expect.poll(() => rowsOf(page)).toBe(3)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Acknowledge 1' }).waitFor()
  expect(complaints).toEqual([])
})

it('letters do nothing once they are switched off, or while somebody types', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  await seed(rookery, 3)
  await openInbox(page, rookery)
  await expect.poll(() => rowsOf(page)).toBe(3)
  await page.getByRole('searchbox', { name: 'Filter' }).fill('10.0')
  await page.keyboard.press('e')
  await page.getByRole('searchbox', { name: 'Filter' }).fill('')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Single-letter keys' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => rowsOf(page)).toBe(3)
  await grid(page).focus()
  await page.keyboard.press('a')
  await page.keyboard.press('e')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
  expect((await rookery.api.incidentViews.rows({})).total).toBe(3)
})

it('what happens meanwhile comes by itself, or waits while somebody works', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  await openInbox(page, rookery)
  await page.getByText('All quiet.').waitFor()
  await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.77' }))
  await page.getByRole('row').filter({ hasText: '192.0.2.77' }).waitFor()
  // Somebody works in the list: the new row waits behind a pill.
  await grid(page).focus()
  await page.keyboard.press('j')
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.78' }))
  await page.getByRole('button', { name: '1 new' }).waitFor()
  expect(await rowsOf(page)).toBe(1)
  await page.keyboard.press('.')
  await expect.poll(() => rowsOf(page)).toBe(2)
})

it('on a phone the link of an alert leads through sign-in to five facts, and Acknowledge', async (rig) => {
  const rookery = await openTestConsole()
  const first = await rig.open()
  await signUp(first.page, rookery)
  await rookery.console.ingest.fromConsole(sshLogin())
  const [row] = (await rookery.api.incidentViews.rows({})).rows
  const { page, complaints } = await rig.open({ viewport: PHONE })
  await page.goto(`${rookery.console.apiUrl}/incidents/${row?.hash_id}`)
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password').fill('wrong password altogether')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The address or the password is not right.').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: /^SSH Login Attempt/ }).waitFor()
  const button = page.getByRole('button', { name: 'Acknowledge' })
  for (const seen of [page.getByText('What to do now'), button]) {
    await seen.waitFor()
    const box = await seen.boundingBox()
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
  }
  await button.click()
  await page.getByText('Acknowledged by').waitFor()
  expect(complaints).toEqual([])
})

it('a session that ends while somebody types asks to sign in there, and the text survives', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await seed(rookery, 1)
  const [row] = (await rookery.api.incidentViews.rows({})).rows
  await page.goto(`${rookery.console.apiUrl}/incidents/${row?.hash_id}`)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('Asked the owner of the laptop')
  await page.evaluate(() => {
    const half = localStorage.getItem('rookery.page') ?? ''
    return fetch('/api/v1/session/end', { method: 'POST', headers: { 'X-Rookery-Page': half } }).then(
      () => undefined,
    )
  })
  const dialog = page.getByRole('dialog', { name: 'Your session ended.' })
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Asked the owner of the laptop' }).waitFor()
  await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
  expect(complaints).toEqual([])
})

it('a chip says what of an address was not understood; the rest of the filter holds', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  await seed(rookery, 3)
  await openInbox(
    page,
    rookery,
    `?state=nonsense&source=10.0.0.1&source=10.0.0.2&from=xyz&level=used,loud&bogus=1&q=${'x'.repeat(400)}`,
  )
  await expect.poll(() => rowsOf(page)).toBe(1)
  expect((await page.getByRole('alert').allTextContents()).map((text) => text.split(' ')[0])).toEqual([
    'State',
    'Level',
    'Source',
    'Text',
    'From',
  ])
  await page.getByRole('button', { name: 'Clear From' }).click()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await page.getByRole('button', { name: 'Clear Source' }).click()
  await expect.poll(() => rowsOf(page)).toBe(3)
  await page.goto(`${rookery.console.apiUrl}/incidents/no-such-hash`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

it('what the filter shows is exported as a CSV, in which no cell is a formula', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const touch = (srcHost: string, nodeId: string) =>
    rookery.console.ingest.fromConsole(
      sshLogin({ srcHost, nodeId, fields: { USERNAME: '=cmd()', PASSWORD: 'x' } }),
    )
  await touch('192.0.2.7', '1'.padStart(16, '0'))
  await touch('198.51.100.9', '2'.padStart(16, '0'))
  await openInbox(page, rookery, '?source=192.0.2.7')
  await expect.poll(() => rowsOf(page)).toBe(1)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toBe('incidents.csv')
  const [head, ...rows] = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toMatch(/^incident,first,last,level/)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain('192.0.2.7')
  expect(rows[0]).not.toMatch(/(^|,)"?=/)
  // More than one file holds: how many it has is said before it is asked for.
  await page.route('**/api/v1/incidents/rows*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), total: 100_001 } })
  })
  await page.reload()
  await page.getByText('A CSV has the newest 100,000 at most.').waitFor()
  await expectGood(page, 'inbox of more than a CSV')
  await page.route('**/api/v1/incidents/export*', (route) => route.abort())
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('alert').getByText('Not connected.').waitFor()
  expect(complaints).toEqual([])
})
