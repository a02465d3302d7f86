// Ignoring: from an incident as one change with Undo, the probe that names the line, and the lists themselves.
import { expect } from 'vitest'
import { addBird } from '@rookery/console/test/birds.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { expectGood } from './axe.ts'
import { DESK, inBrowser, openSignedIn, PHONE } from './rig.ts'
import { CORPUS } from './seed.ts'
import { walk } from './walk.ts'

const it = inBrowser()
/** A folder for pictures to look at; without it none are taken. */
const PICTURES = process.env['PICTURES']
const SCANNER = '10.2.3.4'
const FLOCK = 'flock:default'
/** Changed settings are incidents of their own. */
const OF_INTRUDERS = { state: 'all', level: 'used,tried,looked' } as const

const SERVICES = [
  { dstPort: 22, logtype: '4002', instance: 'ssh' },
  { dstPort: 80, logtype: '3001', instance: 'http' },
  { dstPort: 21, logtype: '2000', instance: 'ftp' },
  { dstPort: 3306, logtype: '8001', instance: 'dbsrv_b' },
]

/** A vulnerability scanner walks over the services of a Bird. */
async function scan(rookery: TestConsole, nodeId: string): Promise<void> {
  await rookery.console.ingest.fromBird({
    nodeId,
    spoolId: `${Math.random()}`,
    receivedAt: Date.now(),
    events: SERVICES.map((service, n) => ({
      seq: n + 1,
      touch: { ...sshLogin({ srcHost: SCANNER, ...service }).touch, nodeId },
    })),
  })
}

it('a scanner is ignored from its own incident, its next scan raises nothing, and the probe names the line, in 4 clicks', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  const { api } = rookery
  await api.consoleIgnoreLists.replaceIps({ whitelist_ips: '10.9.0.0/16 # the backup network' })
  const nodeId = await addBird(rookery, { name: 'nas-02' })
  await scan(rookery, nodeId)
  const { rows } = await api.incidentViews.rows(OF_INTRUDERS)
  expect(rows).toHaveLength(4)
  const own = rows.find(({ dst_port }) => dst_port === 22)
  await page.goto(`${rookery.console.apiUrl}/incidents/${own?.hash_id}`)
  const { click, done } = walk(page, 'a scanner ignored from its own incident')
  await click('button', 'Ignore…')
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(3)
  expect(await dialog.getByRole('radio').first().isChecked()).toBe(true)
  expect(await dialog.locator('label').allInnerTexts()).toEqual([
    expect.stringMatching(
      /^This address on this port, in [^]*10\.2\.3\.4:22\s+1 incident of the last 30 days/,
    ),
    expect.stringMatching(/^This address, in (?!every)[^]*10\.2\.3\.4\s+4 incidents of the last 30 days/),
    expect.stringMatching(/^This address, in every Flock[^]*4 incidents of the last 30 days/),
  ])
  await expectGood(page, 'ignore dialog')
  if (PICTURES)
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      await page.screenshot({ path: `${PICTURES}/ignore-dialog-${viewport.width}.png` })
    }
  await click('radio', /^This address, in (?!every)/)
  await click('button', 'Ignore', dialog)
  await page.getByText('Touches like this are ignored now:').waitFor()
  await scan(rookery, nodeId)
  await expect.poll(async () => (await api.ignoredTouches.list({})).ignored_touches.length).toBe(4)
  expect((await api.incidentViews.rows(OF_INTRUDERS)).total).toBe(4)
  await click('link', 'Probe it')
  await page.getByText(/^Would be ignored: list of the Flock,\s+10\.2\.3\.4$/).waitFor()
  done(4)
  // The list of the console applies as before, and the line is on the page with what it ignored.
  expect(
    await api.flockIgnoreLists.isIgnored({ flock_id: FLOCK, src_ip: '10.9.1.1', dst_port: 22 }),
  ).toMatchObject({
    is_whitelisted: true,
    matched_list: 'console',
  })
  await page.getByRole('row').filter({ hasText: '10.2.3.4 → 3306' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Lines' }).inputValue()).toBe(SCANNER)
  await expectGood(page, 'ignore lists')
  await page.goBack()
  await page.getByRole('heading', { name: 'What it means' }).waitFor()
  await page.keyboard.press('i')
  await dialog.getByText('Touches like this are ignored already').waitFor()
  await page.getByRole('radio', { name: /in every Flock/ }).check()
  await dialog.getByRole('button', { name: 'Ignore' }).click()
  await page.getByText('Touches like this are ignored now:').waitFor()
  expect((await api.consoleIgnoreLists.all()).ignore_lists.ip.lines).toContain(SCANNER)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: the lists are as before.').waitFor()
  expect((await api.consoleIgnoreLists.all()).ignore_lists.ip.lines).toEqual([
    '10.9.0.0/16 # the backup network',
  ])
  expect(complaints).toEqual([])
})

it('a list keeps comments, marks wrong lines, and says how much a very wide range hides', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  const { api } = rookery
  await rookery.console.ingest.fromConsole(sshLogin({ srcHost: SCANNER }))
  await page.goto(`${rookery.console.apiUrl}/ignore`)
  const box = page.getByRole('textbox', { name: 'Addresses' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const lines = async () => (await api.consoleIgnoreLists.all()).ignore_lists.ip.lines
  await box.fill('# ours\n10.0.0.1\n10.0.0.x\n10.0.0.2 9999\n0.0.0.0/0 # all')
  await save.click()
  await page.getByText('2 lines are wrong; nothing is saved.').waitFor()
  expect(await page.locator('mark').allInnerTexts()).toEqual(['▸ 3', '▸ 4'])
  await page.getByText(/known logtypes behind an address, not "9999"/).waitFor()
  await expectGood(page, 'wrong lines')
  if (PICTURES)
    for (const viewport of [PHONE, DESK, { width: 1920, height: 1080 }]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: `${PICTURES}/ignore-${colorScheme}-${viewport.width}.png`,
          fullPage: true,
        })
      }
    }
  await page.getByRole('button', { name: 'Line 3' }).click()
  expect(
    await box.evaluate((it: HTMLTextAreaElement) => it.value.slice(it.selectionStart, it.selectionEnd)),
  ).toBe('10.0.0.x')
  expect(await lines()).toEqual([])
  await box.fill('# ours\n10.0.0.1 # nessus\n0.0.0.0/0 # all')
  await save.click()
  await page
    .getByText('ignores 4,294,967,296 addresses. 1 incident of the last 30 days would not have been raised.')
    .waitFor()
  await expectGood(page, 'a very wide range')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await lines()).toEqual([])
  await save.click()
  await page.getByRole('button', { name: 'Ignore them all' }).click()
  await page.getByText('The list is saved.').waitFor()
  expect(await lines()).toEqual(['# ours', '10.0.0.1 # nessus', '0.0.0.0/0 # all'])
  // Somebody else changes the list while it is edited: compare, then choose.
  await box.fill('10.0.0.3')
  await api.consoleIgnoreLists.replaceIps({ whitelist_ips: '10.0.0.4' })
  await save.click()
  await page.getByText('Somebody else changed this list while you edited it.').waitFor()
  expect(await lines()).toEqual(['10.0.0.4'])
  await page.getByRole('button', { name: 'Save mine over it' }).click()
  await page.getByText('The list is saved.').waitFor()
  await expect.poll(lines).toEqual(['10.0.0.3'])
  // A list of 10,000 lines is shown, and one with a line more is refused in words.
  await api.consoleIgnoreLists.replaceIps({
    whitelist_ips: Array.from({ length: 10_000 }, (_, n) => `10.1.${n >> 8}.${n & 255}`).join('\n'),
  })
  await page.reload()
  await page.getByText('10,000 lines').waitFor()
  await box.evaluate((it: HTMLTextAreaElement) => it.setSelectionRange(0, 0))
  await box.pressSequentially('10.2.0.0\n')
  await save.click()
  await page.getByText('must have at most 10000 lines, not 10001').waitFor()
  expect(complaints).toEqual([])
})

it('a Flock chooses its list; hostile comments and sources stay text', async (rig) => {
  const { page, complaints, rookery } = await openSignedIn(rig)
  const { api } = rookery
  const comment = (CORPUS[0] ?? '').replaceAll(/[\r\n,]/g, ' ')
  await api.flockIgnoreLists.save({ flock_id: FLOCK, whitelist: `10.2.0.0/16 # ${comment}` })
  await api.consoleIgnoreLists.replaceIps({ whitelist_ips: `${SCANNER}/32 # ${comment}` })
  const nodeId = await addBird(rookery, { name: (CORPUS[0] ?? '').slice(0, 100).trim() })
  await scan(rookery, nodeId)
  await expect.poll(async () => (await api.ignoredTouches.list({})).ignored_touches.length).toBe(4)
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    await page.goto(`${rookery.console.apiUrl}/ignore?flock=${FLOCK}&address=${SCANNER}&name=%3Cscript%3E`)
    await page.getByRole('row').nth(3).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.setViewportSize(DESK)
  const mode = page.getByLabel('Which list applies')
  expect(await mode.inputValue()).toBe('global')
  await page.getByText(/^Would be ignored: list of the console,/).waitFor()
  await mode.selectOption('on')
  await expect
    .poll(async () => (await api.flockIgnoreLists.isEnabled({ flock_id: FLOCK })).is_enabled)
    .toBe(true)
  await page.getByLabel('Add the list of the console to it').check()
  await expect
    .poll(
      async () =>
        (await api.flockIgnoreLists.info({ flock_id: FLOCK })).whitelisting_info.inherit_global_whitelist_ips,
    )
    .toBe(true)
  await page.getByLabel('Host name').fill('')
  await page.getByLabel('Port').fill('22')
  await page.getByRole('button', { name: 'Probe' }).click()
  await page.getByText(/^Would be ignored: list of the Flock,\s+10\.2\.0\.0\/16 #/).waitFor()
  await page.getByLabel('Address', { exact: true }).fill('10.3.0.1')
  await page.getByRole('button', { name: 'Probe' }).click()
  await page.getByText('Would raise an incident.').waitFor()
  await page.getByLabel('Address', { exact: true }).fill('nonsense')
  await page.getByRole('button', { name: 'Probe' }).click()
  await expect
    .poll(() => page.getByLabel('Address', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true')
  // Known scanners: a wrong name is answered with all of them.
  await page.goto(`${rookery.console.apiUrl}/ignore?list=annotation`)
  await page.getByText('No known scanner is ignored.').waitFor()
  const name = page.getByLabel('Ignore a known scanner')
  await name.fill('nobody')
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await page.getByText(/must be one of .*m365_safe_links/).waitFor()
  await name.fill('m365_safe_links')
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await page.getByText('Microsoft 365 Safe Links').waitFor()
  await expectGood(page, 'known scanners')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No known scanner is ignored.').waitFor()
  expect(complaints).toEqual([])
})
