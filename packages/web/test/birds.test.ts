// Birds in a real browser: real Birds over the real link, from their code or their words to settings that they apply.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { pendingBird, registeredBird } from '@rookery/console/test/birds.ts'
import { portOf, realBird, when } from '@rookery/console/test/real-bird.ts'
import type { Page } from 'playwright-core'
import { inBrowser, openSignedIn } from './rig.ts'

const it = inBrowser()

const rowsOf = (page: Page) =>
  page.getByRole('table', { name: 'Birds' }).locator('[role="rowgroup"] > [role="row"]')

it('three Birds come by one code, get their look, and the first touch arrives', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/birds`)
  await page.getByText('No Bird yet.').waitFor()
  await page.getByRole('link', { name: 'New Bird' }).first().click()
  await page.getByRole('radio', { name: /^Linux server/ }).check()
  await page.getByText('22/tcp').waitFor()
  await page.getByLabel('Number of Birds').fill('3')
  await page.getByRole('button', { name: 'Create code' }).click()
  const command = await page.locator('pre').filter({ hasText: '--enrol' }).textContent()
  const code = /--enrol (\S+)/.exec(command ?? '')?.[1] ?? ''
  await page.getByText('Waiting for the first Bird').waitFor()
  const birds = await Promise.all([1, 2, 3].map(() => realBird(rookery.console.linkUrl, code)))
  await expect.poll(() => page.getByText('First heartbeat ✓').count(), { timeout: 30_000 }).toBe(3)
  const looks = async () => {
    const { rows } = await rookery.api.birdQueries.rows({})
    const all = await Promise.all(
      rows.map(({ node_id }) => rookery.api.birdQueries.info({ node_id, settings: true })),
    )
    return all.map(({ device }) => device.settings?.['device.personality'])
  }
  await expect.poll(looks).toEqual(['linux-server', 'linux-server', 'linux-server'])
  await page.getByText('No code can be used').waitFor()
  const [bird] = birds
  if (!bird) throw new Error('no Bird')
  await when(bird, () => portOf(bird, 'ftp') !== 0)
  const [first] = await touchFtp(portOf(bird, 'ftp'))
  expect(first).toContain('220')
  await page
    .getByRole('link', { name: /That was it/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

it('a Bird without a code is accepted after its words are compared', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/birds/pending`)
  await page.getByText('No Bird is waiting.').waitFor()
  const bird = await realBird(rookery.console.linkUrl)
  const words = page.getByRole('group', { name: 'Words' })
  await words.waitFor()
  const [pending] = (await rookery.api.registration.pending()).devices
  expect(await words.textContent()).toBe(pending?.pairing_phrase)
  expect(pending?.pairing_phrase.split('-')).toHaveLength(6)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Accepted 1 Bird.').waitFor()
  await when(bird, () => portOf(bird, 'ssh') !== 0)
  // Several at once show all words; one is rejected first.
  for (const name of ['one', 'two', 'three']) await pendingBird(rookery, { name })
  const card = page.getByRole('listitem').filter({ hasText: 'three' })
  await card.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected three.').waitFor()
  await page.getByRole('button', { name: 'Accept 2' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByRole('group', { name: 'Words' }).count()).toBe(2)
  // One that comes while the words are compared is not among those that are accepted.
  await pendingBird(rookery, { name: 'late' })
  await page.getByText('late').waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Accept 2' }).click()
  await page.getByText('Accepted 2 Birds.').waitFor()
  const left = (await rookery.api.registration.pending()).devices
  expect(left.map(({ name }) => name)).toEqual(['late'])
  expect(complaints).toEqual([])
})

it('the package, an image and its seed disk are had from the page; an image that is not there says what to run', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/birds/new`)
  await page.getByRole('button', { name: 'Create code' }).click()
  const packaged = await page.locator('pre').filter({ hasText: 'dpkg -i' }).textContent()
  expect(packaged).toContain(`|ROOKERY_CONSOLE=${rookery.console.apiUrl}|`)
  const command = await page.locator('pre').filter({ hasText: '--enrol' }).textContent()
  expect(packaged).toContain(`|ROOKERY_ENROL=${/--enrol (\S+)/.exec(command ?? '')?.[1] ?? ''}|`)
  const images = page.getByRole('region', { name: 'Or an image of a machine' })
  await images.getByRole('button', { name: 'VMware: ova' }).click()
  await images.getByText('The console has no image of a Bird.').waitFor()
  await images.getByText('npx rookery image build --out images').waitFor()
  mkdirSync(rookery.console.folder.images, { recursive: true })
  writeFileSync(join(rookery.console.folder.images, 'rookery-bird-3.0.0.ova'), 'an image')
  await images.getByLabel('Release').fill('3.0.0')
  await images.getByRole('button', { name: 'VMware: ova' }).click()
  const coming = page.waitForEvent('download')
  await images.getByRole('link', { name: 'Download rookery-bird-3.0.0.ova' }).click()
  expect(readFileSync(await (await coming).path(), 'utf8')).toBe('an image')
  await images.getByRole('button', { name: 'Seed disk for Hyper-V' }).click()
  const seeding = page.waitForEvent('download')
  await images.getByRole('link', { name: 'Download Seed disk for Hyper-V' }).click()
  expect((await seeding).suggestedFilename()).toBe('rookery-seed.vhd')
  expect((await rookery.api.enrolments.list()).enrolments).toHaveLength(2)
  expect(complaints).toEqual([])
})

it('a filter is its address; Birds are moved and muted with Undo, and rebooted after a word', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
  const now = Date.now()
  const live = { live: 1, last_seen_at: now }
  const ids = [
    await registeredBird(rookery, { ...live, name: 'nas-1' }),
    await registeredBird(rookery, { ...live, name: 'nas-2' }),
  ]
  await registeredBird(rookery, { name: 'gone', live: 0, registered_at: now - 1_000, last_seen_at: now })
  await page.goto(`${rookery.console.apiUrl}/birds?state=live&bogus=1`)
  await expect.poll(() => rowsOf(page).count()).toBe(2)
  await page.getByRole('button', { name: 'Offline' }).click()
  await expect.poll(() => rowsOf(page).count()).toBe(1)
  expect(page.url()).toContain('state=offline')
  await page.reload()
  await rowsOf(page).filter({ hasText: 'gone' }).waitFor()
  await page.getByRole('button', { name: 'Offline' }).click()
  await page.getByRole('searchbox', { name: 'Filter' }).fill('NAS')
  await expect.poll(() => rowsOf(page).count()).toBe(2)
  await page.getByLabel('Select all that are shown').check()
  const bar = page.getByRole('toolbar')
  await bar.getByLabel('Move to').selectOption(flock_id)
  await bar.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved 2 Birds.').waitFor()
  const flocks = async () =>
    (await rookery.api.birdQueries.rows({ filter_str: 'nas' })).rows.map((it) => it.flock_id)
  expect(await flocks()).toEqual([flock_id, flock_id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: 2 Birds as before.').waitFor()
  expect(await flocks()).toEqual(['flock:default', 'flock:default'])
  await bar.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByText('Muted 2 Birds.').waitFor()
  await bar.getByRole('button', { name: 'Settings…' }).click()
  const many = page.getByRole('dialog')
  await many.getByLabel('Setting', { exact: true }).selectOption('ssh.port')
  await many.getByLabel('Port', { exact: true }).fill('2222')
  await many.getByRole('button', { name: 'Apply' }).click()
  await many.getByText('0 of 2 Birds answered').waitFor()
  for (const node_id of ids) {
    const { device } = await rookery.api.birdQueries.info({ node_id, settings: true })
    expect(device.settings?.['ssh.port']).toBe(2222)
  }
  await many.getByRole('button', { name: 'Close' }).click()
  await bar.getByRole('button', { name: 'Reboot' }).click()
  const asked = page.getByRole('dialog')
  expect(await asked.getByRole('button', { name: 'Reboot' }).getAttribute('aria-disabled')).toBe('true')
  await asked.getByLabel(/^Type/).fill('reboot')
  await asked.getByRole('button', { name: 'Reboot' }).click()
  await page.getByText('2 Birds will reboot.').waitFor()
  expect(complaints).toEqual([])
})

it('a Flock is made, named, limited and deleted', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/flocks`)
  await page.getByLabel('Name').fill('Berlin')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Berlin' }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Plant')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Plant' }).waitFor()
  const limit = page.getByRole('form', { name: 'Limit of Birds' })
  await limit.getByRole('checkbox').check()
  await limit.getByLabel('Number of Birds').fill('7')
  await limit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const flock_id = decodeURIComponent(page.url().split('/').at(-1) ?? '')
  expect(await rookery.api.flockLimits.read({ flock_id })).toMatchObject({ limit: 7, is_enabled: true })
  await page.getByRole('textbox', { name: 'Note' }).fill('Third floor')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await expect.poll(async () => (await rookery.api.flockNotes.read({ flock_id })).note).toBe('Third floor')
  await page.getByRole('button', { name: 'Delete' }).click()
  const asked = page.getByRole('dialog')
  await asked.getByLabel(/^Type/).fill('delete')
  await asked.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Flocks' }).waitFor()
  expect(Object.keys((await rookery.api.flocks.list()).flocks)).not.toContain(flock_id)
  expect(complaints).toEqual([])
})

it('a Bird is renamed and described, and decommissioned once its name is typed', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const { code } = await rookery.api.enrolments.create({ uses: 1 })
  const bird = await realBird(rookery.console.linkUrl, code)
  await when(bird, () => portOf(bird, 'ssh') !== 0)
  const [row] = (await rookery.api.birdQueries.rows({})).rows
  const node_id = row?.node_id ?? ''
  const read = async () => (await rookery.api.birdQueries.info({ node_id, settings: true })).device
  await page.goto(`${rookery.console.apiUrl}/birds/${node_id}`)
  const form = page.getByRole('form', { name: 'Name and notes' })
  const name = form.getByLabel('Name', { exact: true })
  await name.fill('The printer by the door')
  await form.getByLabel('Decoys show this name, too').check()
  await form.getByRole('button', { name: 'Save' }).click()
  // A sentence is no host name.
  await form.getByText(/must be a host name of at most 15/).waitFor()
  await name.fill('printer-3')
  await form.getByLabel('Note').fill('Rack 7\nsecond from above')
  // What another admin writes meanwhile stays, for nobody typed over it here.
  await rookery.api.birdOperations.describe({ node_id, location: 'Berlin' })
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'printer-3' }).waitFor()
  const device = await read()
  expect(device).toMatchObject({ location: 'Berlin', note: 'Rack 7\nsecond from above' })
  expect(device.settings?.['device.host_name']).toBe('printer-3')
  expect(await form.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  // Without the box, decoys go on as they are. By keyboard alone.
  await name.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Printer, third floor')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Printer, third floor' }).waitFor()
  expect((await read()).settings?.['device.host_name']).toBe('printer-3')
  await page.getByRole('button', { name: 'Decommission…' }).focus()
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog')
  const verb = asked.getByRole('button', { name: 'Decommission' })
  await asked.getByText(/close its decoys and to forget its key/).waitFor()
  await asked.getByLabel(/^Type/).focus()
  await page.keyboard.type('printer-3')
  await expect.poll(() => verb.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('printer, third floor')
  await page.keyboard.press('Enter')
  await page.getByText(/was asked to stop; it leaves the list once it has/).waitFor()
  await page.getByText('No Bird yet.').waitFor()
  expect((await rookery.api.birdQueries.rows({})).total).toBe(0)
  expect(complaints).toEqual([])
})

it('Birds that wait for room stand on the page of their full Flock, first come first', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
  await rookery.api.flockLimits.set({ flock_id, limit: 1 })
  await rookery.api.flockLimits.enable({ flock_id })
  const inside = await registeredBird(rookery, { name: 'inside', flock_id })
  const waiting = []
  for (const name of ['first', 'second', 'third']) waiting.push(await pendingBird(rookery, { name }))
  for (const node_id of waiting) await rookery.api.registration.assign({ node_id, flock_id })
  await page.goto(`${rookery.console.apiUrl}/flocks/${flock_id}`)
  const queue = page.getByRole('region', { name: 'Waiting for room' })
  const names = () => queue.getByRole('listitem').locator('strong').allTextContents()
  await expect.poll(names).toEqual(['first', 'second', 'third'])
  await queue
    .getByRole('listitem')
    .filter({ hasText: 'second' })
    .getByRole('button', { name: 'Reject' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected second.').waitFor()
  await expect.poll(names).toEqual(['first', 'third'])
  await rookery.api.registration.decommission({ node_id: inside })
  await expect.poll(names).toEqual(['third'])
  expect(complaints).toEqual([])
})

/** The greeting, and a login that is an incident. */
function touchFtp(port: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (text: string) => {
      lines.push(text)
      if (lines.length === 1) socket.write('USER root\r\n')
      if (lines.length === 2) socket.write('PASS hunter2\r\n')
      if (lines.length < 3) return
      socket.destroy()
      resolve(lines)
    })
  })
}
