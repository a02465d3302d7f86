// Tokens: made, fired by a real request, seen, and switched off; many from a list.
import { openIdentityProvider } from '@rookery/tokens/saml/testing/provider.ts'
import { expect } from 'vitest'
import { expectGood } from './axe.ts'
import { expectNoSidewaysScroll, inBrowser, openSignedIn } from './rig.ts'
import { CORPUS } from './seed.ts'
import { walk } from './walk.ts'

const it = inBrowser()

it('a token is made, fires, is seen in its history, and is disabled, in at most 8 clicks', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/`)
  const { click, done } = walk(page, 'a token made, fired, seen and disabled')
  await click('link', 'Tokens')
  await page.getByText('No token is planted yet.').waitFor()
  await click('link', 'New token')
  await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).fill('excel')
  await page.getByRole('link', { name: 'Excel workbook', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Web bug' }).count()).toBe(0)
  await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).fill('tracking pixel')
  await click('link', 'Web bug')
  await page.getByLabel('Memo').fill('Wiki page of the finance team')
  await page.getByLabel('Placement').fill('wiki/finance')
  await click('button', 'Create')
  await page.getByRole('heading', { name: 'Where to put it' }).waitFor()
  await page.getByRole('heading', { name: 'What keeps it silent' }).waitFor()
  await page.getByText('Waiting for the first touch').waitFor()
  const { tokens } = await rookery.api.tokens.search({})
  expect(tokens).toMatchObject([{ memo: 'Wiki page of the finance team', placement: 'wiki/finance' }])
  const [token] = tokens
  await page.getByText(`curl -s -o /dev/null "${token?.url}"`).waitFor()
  await fetch(token?.url ?? '', { headers: { 'User-Agent': CORPUS[0] ?? '' } })
  await page.getByText(/^Arrived after .* This one was you\./).waitFor()
  await click('link', 'Open the token')
  await page.getByRole('heading', { level: 1, name: 'Wiki page of the finance team' }).waitFor()
  await click('link', 'History')
  await page.getByRole('cell', { name: '127.0.0.1' }).waitFor()
  await click('button', 'Disable')
  await page.getByText('Disabled: touches raise nothing').waitFor()
  expect((await rookery.api.tokens.fetch({ decoytoken: token?.decoytoken ?? '' })).token.enabled).toBe(false)
  done(8)
  expect(complaints).toEqual([])
})

it('a test shows its steps as they went, and a file is downloaded with its own texts', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/tokens/new/doc-wordproc`)
  await page.getByLabel('Memo').fill('Report')
  const file = page.locator('input[type="file"]')
  const choose = (name: string, bytes: number) =>
    file.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(bytes, 'x') })
  await choose('report.txt', 10)
  await page.getByText('must be a file of').waitFor()
  await page.getByRole('button', { name: 'Create' }).click()
  await choose('report.docx', 10 * 1024 * 1024 + 1)
  await page.getByText('must be at most 10 MiB').waitFor()
  await page.getByRole('button', { name: 'Create' }).click()
  expect((await rookery.api.tokens.search({})).total_results).toBe(0)
  // The console looks at the bytes: it says so on the field.
  await choose('report.docx', 10)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => file.getAttribute('aria-invalid')).toBe('true')
  await file.setInputFiles([])
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'What to plant' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/\.docx$/)
  await page.getByRole('button', { name: 'Test it' }).click()
  await page.getByText('All steps went well.').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'passed:' }).nth(2).waitFor()
  await page.getByText('Waiting for the first touch').waitFor()
  await page.getByLabel('Raise an incident and its alerts too').check()
  await page.getByRole('button', { name: 'Test it' }).click()
  await page.getByText(/^Arrived after/).waitFor()
  expect(complaints).toEqual([])
})

it('secrets are shown once and said so; a kind without its provider says what to set', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/tokens/new?q=azure`)
  const off = page.getByRole('link', { disabled: true }).first()
  await off.waitFor()
  const why = await off.evaluate(
    (it) => document.getElementById(it.getAttribute('aria-describedby') ?? '')?.textContent,
  )
  expect(why).toMatch(/is not configured: set ROOKERY_/)
  await page.goto(`${rookery.console.apiUrl}/tokens/new/cloud-a-id`)
  await page.getByLabel('Memo').fill('Key of the build agent')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('this console never shows them again').waitFor()
  const secret = await page
    .getByRole('figure')
    .filter({ hasText: 'Secret access key' })
    .locator('pre')
    .textContent()
  expect(secret).toMatch(/^[A-Za-z0-9/+]{40}$/)
  await page.getByRole('link', { name: 'Open the token' }).click()
  await page.getByRole('heading', { level: 1, name: 'Key of the build agent' }).waitFor()
  await page.getByRole('heading', { name: 'What to plant' }).waitFor()
  expect(await page.locator('body').textContent()).not.toContain(secret)
  expect(complaints).toEqual([])
})

it('50 from a list, one answer, in at most 6 clicks; each wrong row is named', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/tokens`)
  const { click, done } = walk(page, '50 tokens from a list')
  await click('link', 'Import CSV')
  const field = page.getByLabel('CSV file')
  const send = async (text: string) => {
    await field.setInputFiles({ name: 'tokens.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Create' }).click()
  }
  const list = Array.from({ length: 50 }, (_, n) => `http,=Token ${n}`)
  await send(`kind,memo\n${list.with(5, 'htp,x').join('\n')}`)
  await page.getByRole('cell', { name: 'line 7, column kind' }).waitFor()
  await send(`kind,memo\n${'http,x\n'.repeat(10_001)}`)
  await page.getByText(/at most 10000 rows/).waitFor()
  expect((await rookery.api.tokens.search({})).total_results).toBe(0)
  const downloading = page.waitForEvent('download')
  await field.setInputFiles({
    name: 'tokens.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\uFEFFkind,memo\r\n${list.join('\r\n')}`),
  })
  await click('button', 'Create')
  await page.getByText('Created 50 tokens.').waitFor()
  const chunks: Buffer[] = []
  for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer)
  const answer = Buffer.concat(chunks).toString()
  // A spreadsheet takes no cell for a formula.
  expect(answer).not.toMatch(/(^|,|\n)"?=/)
  await click('link', 'Go to the tokens')
  await page.getByText('50 tokens').waitFor()
  done(6)
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
  await page.getByRole('button', { name: 'Disable 50' }).click()
  await page.getByText('Disabled 50 tokens.').waitFor()
  expect((await rookery.api.tokens.search({ enabled: true })).total_results).toBe(0)
  await page.getByRole('searchbox', { name: 'Filter' }).fill('Token 4')
  await page.getByText('11 tokens').waitFor()
  await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check()
  await page.getByRole('button', { name: 'Delete 11' }).click()
  await page.getByRole('group').getByRole('button', { name: 'Delete 11' }).click()
  await page.getByText('Nothing matches.').waitFor()
  expect((await rookery.api.tokens.search({})).total_results).toBe(39)
  expect(complaints).toEqual([])
})

it('factories are made and revoked; a token is changed, and its list of sites', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/tokens/factories`)
  await page.getByText('There is no factory.').waitFor()
  await page.getByLabel('Memo').fill('Image build')
  await page.getByRole('button', { name: 'Create factory' }).click()
  const key = await page.getByRole('figure', { name: 'Key' }).locator('pre').textContent()
  const make = () =>
    rookery.post(
      '/decoytoken/factory/create',
      { factory_auth: key ?? '', kind: 'cloned-web', memo: 'By the factory', cloned_web: 'www.example.com' },
      null,
    )
  const made = await make()
  expect(made.status).toBe(200)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('group').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('There is no factory.').waitFor()
  expect((await make()).status).toBe(401)
  const { tokens } = await rookery.api.tokens.search({})
  const id = tokens[0]?.decoytoken ?? ''
  await page.goto(`${rookery.console.apiUrl}/tokens/${id}/settings`)
  await page.getByLabel('Memo').fill('Copy of the home page')
  await page.getByLabel('Quiet sources').fill('10.0.0.0/8, 192.0.2.1')
  await page.getByLabel('First touch only').check()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Copy of the home page' }).waitFor()
  expect((await rookery.api.tokens.fetch({ decoytoken: id })).token).toMatchObject({
    memo: 'Copy of the home page',
    first_only: true,
    quiet_sources: expect.stringContaining('10.0.0.0/8') as string,
  })
  await page.getByLabel('Regular expressions').fill('(')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await expect.poll(() => page.getByLabel('Regular expressions').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Regular expressions').fill('^staging\\.')
  await page.getByRole('button', { name: 'Save' }).last().click()
  const ignores = async () =>
    (await rookery.api.clonedSiteIgnores.fetch({ flock_id: 'flock:default', decoytoken: id })).ignore_lists
      .ignores
  await expect.poll(ignores).toBe('^staging\\.')
  expect(complaints).toEqual([])
})

it('a token that another tab deleted says so, and the list too', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: 'Gone soon' })
  await page.goto(`${rookery.console.apiUrl}/tokens`)
  await page.getByRole('checkbox', { name: 'Select Gone soon' }).check()
  await rookery.api.tokens.remove({ decoytoken: decoytoken.decoytoken })
  await page.getByRole('button', { name: 'Disable 1' }).click()
  await page.getByRole('alert').waitFor()
  await page.goto(`${rookery.console.apiUrl}/tokens/${decoytoken.decoytoken}`)
  await page.getByText('There is no such token').waitFor()
  await expectNoSidewaysScroll(page)
})

it('an app of an identity provider takes its metadata; without a file nothing is forgotten', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  const { decoytoken: app } = await rookery.api.tokens.create({
    kind: 'idp-app',
    memo: 'VPN portal',
    idp_app_type: 'vpn',
  })
  await page.goto(`${rookery.console.apiUrl}/tokens/${app.decoytoken}/settings`)
  const save = page.getByRole('button', { name: 'Save metadata' })
  await save.waitFor()
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  const file = page.getByLabel(/^Metadata of SAML/)
  const choose = (bytes: Buffer) =>
    file.setInputFiles({ name: 'metadata.xml', mimeType: 'text/xml', buffer: bytes })
  await choose(Buffer.alloc(512 * 1024 + 1, ' '))
  await page.getByText('at most 512 KiB can be sent').first().waitFor()
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await expectGood(page, 'metadata that is too large')
  await choose(Buffer.from('<a/>'))
  await save.click()
  await page.getByRole('alert').waitFor()
  const { metadata } = await openIdentityProvider()
  await choose(Buffer.from(metadata))
  await save.click()
  await page.getByText('Saved the metadata of https://idp.example/saml.').waitFor()
  await page.getByRole('button', { name: 'Validate', exact: true }).click()
  await page.getByText('Assertions are validated.').waitFor()
  // One that nobody signed is quiet from now on.
  await fetch(new URL(new URL(app.url).pathname, rookery.console.tokensUrl), {
    method: 'POST',
    body: new URLSearchParams({ SAMLResponse: Buffer.from('<Response/>').toString('base64') }),
  })
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('Quiet:').first().waitFor()
  await page.getByRole('link', { name: 'Settings' }).last().click()
  await page.getByRole('button', { name: 'Forget metadata' }).click()
  await page.getByText('The metadata is forgotten.').waitFor()
  expect(complaints).toEqual([])
})
