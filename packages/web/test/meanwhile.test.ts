// What others do while somebody works: it is said in words, what was typed stays, and there is one thing to do next.
import { expect } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { FLOCK, loopbackOutbound, raiseIncident } from '@rookery/console/test/raise-incident.ts'
import { openReceiver } from '@rookery/console/test/receiver.ts'
import { changeBird } from '@rookery/console/stores/birds/store.ts'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { expectGood } from './axe.ts'
import { inBrowser, openSignedIn, signUp } from './rig.ts'

const it = inBrowser()

it('settings that another admin changed are compared; a Bird that goes offline gets them later', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const node_id = await registeredBird(rookery, { name: 'nas-02', live: 1, last_seen_at: Date.now() })
  await page.goto(`${rookery.console.apiUrl}/birds/${node_id}/services`)
  const port = page.getByRole('group', { name: 'SSH' }).getByLabel('Port', { exact: true })
  await port.fill('2222')
  const settings = { 'ssh.port': 2200 }
  await rookery.api.configuration.configure({ node_id, settings, merge: true })
  const review = page.getByRole('button', { name: 'Review' })
  await review.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Someone else changed these settings meanwhile.').waitFor()
  const cells = dialog.getByRole('row').filter({ hasText: 'ssh.port' }).getByRole('cell')
  expect(await cells.allTextContents()).toEqual(['2200', '2222'])
  await expectGood(page, 'settings that another changed')
  await dialog.getByRole('button', { name: 'Go on editing' }).click()
  expect(await port.inputValue()).toBe('2222')
  await review.click()
  await dialog.waitFor()
  await rookery.console.base.writer.write((tx) =>
    changeBird(tx.query, node_id, { live: 0, offline_since: Date.now() }),
  )
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page
    .getByRole('status')
    .getByText('The Bird is offline: it gets the settings when it reconnects.')
    .waitFor()
  const { device } = await rookery.api.birdQueries.info({ node_id, settings: true })
  expect(device.settings?.['ssh.port']).toBe(2222)
  expect(complaints).toEqual([])
})

it('a receiver that is removed while its delivery is open; a token that another tab deletes', async (rig) => {
  const rookery = await openTestConsole({ world: { outbound: loopbackOutbound() } })
  const receiver = await openReceiver()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await rookery.api.flockWebhooks.addGeneric({ flock_id: FLOCK, url: receiver.url })
  await raiseIncident(rookery)
  await rookery.console.dispatcher.idle()
  const [delivery] = (await rookery.api.deliveries.list({})).deliveries
  await page.goto(`${rookery.console.apiUrl}/alerts/deliveries?open=${delivery?.delivery_id}`)
  const opened = page.getByRole('region', { name: /^Delivery \d+$/ })
  await opened.getByText('webhook-id').waitFor()
  const [one] = (await rookery.api.receiverOverview.list()).receivers
  await rookery.api.receiverOverview.remove({ webhook_id: one?.webhook_id ?? '', flock_id: FLOCK })
  await opened.getByRole('button', { name: 'Replay' }).click()
  await opened.getByText('The webhook of this delivery is not there any more.').waitFor()
  await opened.getByText('Its receiver or its incident is not there any more').first().waitFor()
  await expectGood(page, 'a delivery without its receiver')
  await opened.getByRole('link', { name: 'Open receivers' }).click()
  await page.getByText('No receiver is set up.').waitFor()

  const { decoytoken } = (await rookery.api.tokens.create({ kind: 'http', memo: 'Gone soon' })).decoytoken
  await page.goto(`${rookery.console.apiUrl}/tokens/${decoytoken}/settings`)
  await page.getByRole('heading', { name: 'Gone soon' }).waitFor()
  expect(await page.title()).toBe('Gone soon · Tokens · Rookery')
  await rookery.api.tokens.remove({ decoytoken })
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('There is no such token').waitFor()
  await page.getByRole('link', { name: 'Go to the tokens' }).click()
  await page.getByText('No token is planted yet.').waitFor()
  expect(complaints).toEqual([])
})

it('a file of the wrong kind or too large is refused before it is sent', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const { kinds } = await rookery.api.tokens.kindFacts()
  const [kind, facts] =
    Object.entries(kinds).find(([, it]) =>
      it.fields.some(({ type, formats }) => type === 'file' && formats?.includes('pdf')),
    ) ?? []
  const field = facts?.fields.find(({ type }) => type === 'file')
  await page.goto(`${rookery.console.apiUrl}/tokens/new/${kind}`)
  await page.getByLabel('Memo').fill('Report')
  const file = page.locator('input[type=file]')
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
  for (const [name, size, said] of [
    ['report.exe', 10, /\.exe/],
    ['report.pdf', (field?.max_bytes ?? 0) + 1, /must be at most/],
  ] as const) {
    await file.setInputFiles({ name, mimeType: '', buffer: Buffer.alloc(size, '%') })
    const noted = file.evaluate((it: HTMLInputElement) =>
      (it.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    )
    expect(await noted).toMatch(said)
    await expect.poll(() => file.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Create' }).click()
  }
  expect(await page.getByLabel('Memo').inputValue()).toBe('Report')
  expect(sent).toEqual([])
  expect(complaints).toEqual([])
})
