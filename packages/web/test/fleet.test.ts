// A fleet by the page: real Birds over the real link, by a code and by their words; a service is moved to another port.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connect } from 'node:net'
import { expect } from 'vitest'
import { portOf, realBird, when } from '@rookery/console/test/real-bird.ts'
import { inBrowser, openSignedIn } from './rig.ts'
import { walk } from './walk.ts'

const it = inBrowser()
const FLEET = 30
/** Thirty Birds open their decoys on the machine that also shows the page. */
const PATIENCE_MS = 300_000

it('30 Birds come by one code, and 3 without one after their words are compared, in at most 10 clicks', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/birds`)
  const { click, done } = walk(page, '30 Birds by one code, 3 by their words')
  await click('link', 'New Bird')
  await page.getByLabel('Number of Birds').fill(`${FLEET}`)
  await click('button', 'Create code')
  const command = await page.locator('pre').filter({ hasText: '--enrol' }).textContent()
  const code = /--enrol (\S+)/.exec(command ?? '')?.[1] ?? ''
  await page.getByText('Waiting for the first Bird').waitFor()
  await Promise.all(Array.from({ length: FLEET }, () => realBird(rookery.console.linkUrl, code)))
  await expect.poll(() => page.getByText('First heartbeat ✓').count(), { timeout: PATIENCE_MS }).toBe(FLEET)
  await page.getByText('No code can be used').waitFor()

  const strangers = await Promise.all([1, 2, 3].map(() => realBird(rookery.console.linkUrl)))
  await click('link', 'Pending Birds')
  const words = page.getByRole('main').getByRole('group', { name: 'Words' })
  await expect.poll(() => words.count(), { timeout: PATIENCE_MS }).toBe(3)
  await click('button', 'Accept 3')
  // Each Bird shows its own; the page shows the same.
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const shown = await dialog.getByRole('group', { name: 'Words' }).allTextContents()
  expect(shown.toSorted()).toEqual(strangers.map((bird) => bird.state().pairingPhrase).toSorted())
  await click('button', 'Accept 3', dialog)
  await page.getByText('Accepted 3 Birds.').waitFor()
  await expect
    .poll(async () => (await rookery.api.birdQueries.rows({ state: 'live', limit: 1 })).total)
    .toBe(FLEET + 3)
  done(10)
  expect(complaints).toEqual([])
})

it('a service onto a taken port is refused on the field; onto a free one it is applied, in at most 8 clicks', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const { code } = await rookery.api.enrolments.create({ uses: 1 })
  const bird = await realBird(rookery.console.linkUrl, code)
  await when(bird, () => portOf(bird, 'ssh') !== 0)
  const [row] = (await rookery.api.birdQueries.rows({})).rows
  await page.goto(`${rookery.console.apiUrl}/birds`)
  const { click, done } = walk(page, 'a service onto another port')
  await click('link', row?.name ?? '')
  await click('link', 'Services')
  const ssh = page.getByRole('group', { name: 'SSH' })
  const port = ssh.getByLabel('Port', { exact: true })
  await port.fill('80')
  await click('button', 'Review')
  await expect.poll(() => port.getAttribute('aria-invalid')).toBe('true')
  await ssh.getByText(/taken by http\.port/).waitFor()
  await port.fill('2222')
  await click('button', 'Review')
  const change = page.getByRole('dialog').getByRole('row').filter({ hasText: 'ssh.port' })
  await expect.poll(() => change.getByRole('cell').allTextContents()).toEqual(['22', '2222'])
  await click('button', 'Apply')
  await page.getByRole('status').getByText('The change: applied.').waitFor()
  const moved = bird.state().listening.find(({ instance }) => instance === 'ssh')
  expect(moved?.port).toBe(2222)
  expect(await scanned(moved?.boundPort ?? 0)).toMatch(/ssh/i)
  done(8)
  expect(complaints).toEqual([])
})

/** What a scan finds at the port: by nmap, or by its first line where nmap is not installed. */
async function scanned(port: number): Promise<string> {
  const nmap = promisify(execFile)('nmap', ['-Pn', '-sT', '-sV', '-p', `${port}`, '127.0.0.1'])
  const found = await nmap.catch(() => undefined)
  if (found) return /^\d+\/tcp +open .*$/m.exec(found.stdout)?.[0] ?? found.stdout
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.once('data', (line: Buffer) => {
      socket.destroy()
      resolve(line.toString())
    })
  })
}
