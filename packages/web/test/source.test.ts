// One source: all that it did, from an incident; acknowledged at once with undo, and copied as text.
import { expect } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { inBrowser, openInbox, openSignedIn, rowsOf } from './rig.ts'
import { seed } from './seed.ts'

const it = inBrowser()
const SOURCE = '192.0.2.7'

it('all that one address did is read, acknowledged, undone and copied, from its own incident', async (rig) => {
  const { page, context, complaints, rookery } = await openSignedIn(rig)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seed(rookery, 3)
  const at = Date.now()
  for (const [n, user] of ['root', 'admin', '=cmd|calc'].entries())
    await rookery.console.ingest.fromConsole(
      sshLogin(
        {
          nodeId: `${n}`.padStart(16, '0'),
          dstPort: 22 + n,
          fields: { USERNAME: user, PASSWORD: 'hunter2' },
        },
        at - n * 1_000,
      ),
    )
  await openInbox(page, rookery)
  await expect.poll(() => rowsOf(page)).toBe(6)
  // In a row, and on the page of an incident.
  await page.getByRole('row').getByRole('link', { name: SOURCE }).first().click()
  await page.getByRole('heading', { level: 1, name: `Source ${SOURCE}` }).waitFor()
  await page.getByRole('table').getByRole('link', { name: 'SSH Login Attempt' }).first().click()
  await page.getByRole('heading', { name: 'What it means' }).waitFor()
  await page.getByRole('definition').getByRole('link', { name: SOURCE }).click()
  await page.getByText('3 incidents, 3 open.').waitFor()
  await expect.poll(() => page.getByRole('table').first().getByRole('row').count()).toBe(4)
  await page.getByText('root / hunter2 1×').waitFor()
  for (const port of ['22', '23', '24'])
    await page
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${port} `) })
      .waitFor()
  await expectGood(page, 'source')

  await page.getByRole('button', { name: 'Acknowledge 3' }).click()
  await page.getByText('3 incidents, 0 open.').waitFor()
  expect((await rookery.api.incidentViews.rows({})).total).toBe(3)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.getByRole('status').getByRole('button', { name: /Undo/ }).click()
  await page.getByText('3 incidents, 3 open.').waitFor()
  expect((await rookery.api.incidentViews.rows({})).total).toBe(6)

  await page.getByRole('button', { name: 'Copy as text' }).click()
  await page.getByText('Copied 3 incidents.').waitFor()
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(lines.slice(0, 2)).toEqual([`Source ${SOURCE}`, '3 incidents'])
  expect(lines[3]).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}Tried {2}SSH Login Attempt .*port 24 .*=cmd\|calc/,
  )
  expect(lines.filter((line) => /^[=+@-]/.test(line))).toEqual([])

  await page.getByRole('link', { name: 'Show in the inbox' }).click()
  await expect.poll(() => rowsOf(page)).toBe(3)
  const bird = '0'.repeat(16)
  await registeredBird(rookery, { node_id: bird })
  await page.goto(`${rookery.console.apiUrl}/birds/${bird}/incidents`)
  await page.getByRole('main').getByRole('link', { name: SOURCE }).click()
  await page.getByRole('heading', { level: 1, name: `Source ${SOURCE}` }).waitFor()
  expect(complaints).toEqual([])
})

it('a source of which nothing is stored, and a text that is no address, say so', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/sources/198.51.100.9`)
  await page.getByText('Nothing of this address is stored').waitFor()
  await expectGood(page, 'source without incidents')
  await page.goto(`${rookery.console.apiUrl}/sources/${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
  await page.getByText('This is no IP address').waitFor()
  await page.goto(`${rookery.console.apiUrl}/sources/2001:db8::1`)
  await page.getByText('Nothing of this address is stored').waitFor()
  await page.route('**/api/v1/incidents/**', (route) => route.abort())
  await page.goto(`${rookery.console.apiUrl}/sources/198.51.100.9`)
  await page.getByText('Not connected.').first().waitFor()
  await expectGood(page, 'source, not connected')
  expect(complaints).toEqual([])
})
