// Receivers of alerts: who is notified, who is not, and which receiver fails.
import { expect } from 'vitest'
import { FLOCK, addReceiver, loopbackOutbound, raiseIncident } from '@rookery/console/test/raise-incident.ts'
import { openReceiver, refuse } from '@rookery/console/test/receiver.ts'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { expectGood } from './axe.ts'
import { inBrowser, openInbox, signUp } from './rig.ts'

const it = inBrowser()

it('the inbox says that nobody is notified; the page of receivers says which one fails and why', async (rig) => {
  const rookery = await openTestConsole({ world: { outbound: loopbackOutbound() } })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await openInbox(page, rookery)
  const notice = page
    .getByRole('note')
    .filter({ hasText: 'Nobody is notified. Incidents of 1 Flock reach no one' })
  await notice.waitFor()
  const quiet = await page.getByText('All quiet.').boundingBox()
  expect((await notice.boundingBox())?.y).toBeLessThan(quiet?.y ?? 0)
  await expectGood(page, 'inbox with the notice')
  await page.getByRole('link', { name: 'Open receivers' }).click()
  await page.getByRole('heading', { level: 1, name: 'Receivers' }).waitFor()
  await notice.waitFor()
  await page.getByText('No receiver is set up.').waitFor()

  const bad = await openReceiver(refuse(503))
  await addReceiver(rookery, bad.url, { flock_id: FLOCK })
  await raiseIncident(rookery)
  await bad.tries(1)
  await rookery.console.dispatcher.idle()
  await page.reload()
  const card = page.getByRole('listitem').filter({ hasText: new URL(bad.url).host })
  await card.getByText('It answered 503; success is 200 to 299.').waitFor()
  await card.getByText('1 message waits').waitFor()
  expect(await card.innerText()).toMatch(/Failing for \d+ s/)
  expect(await notice.count()).toBe(0)
  await expectGood(page, 'receivers')
  expect(complaints).toEqual([])
})
