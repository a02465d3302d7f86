// The page of updates in a real browser: one Bird is updated, and one rolls back and says why.
import { expect } from 'vitest'
import { enrolledBird, hello, type TestBird } from '@rookery/console/test/link-bird.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import { addRelease } from '@rookery/console/flows/releases/add.ts'
import type { Body } from '@rookery/link/messages.ts'
import { signedRelease } from '@rookery/link/test/signed-release.ts'
import type { Page } from 'playwright-core'
import { inBrowser, openSignedIn } from './rig.ts'
import { walk } from './walk.ts'

const it = inBrowser()
const { device } = hello().body as Body<'HELLO'>
const release = signedRelease(undefined, { sensors: [device.sensor] })

async function addTo({ console }: TestConsole): Promise<void> {
  await addRelease(console.base, 64 * 1024 * 1024, { ...release, description: 'Answers FEAT' })
}

const updatable = (rookery: TestConsole, name: string) =>
  enrolledBird(rookery, { files: 1, updates: 1, device: { ...device, name } })

/** What the Bird says of the update that it was offered. */
async function says(bird: TestBird, state: 'applied' | 'failed', reason: string): Promise<void> {
  const { job } = await bird.receives('FILE_OFFER')
  bird.send({ kind: 'FILE_STATE', body: { job, state, copied: 0, pid: 7, reason } })
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

it('one Bird is updated, and one rolls back and says why, in three clicks; another is refused on its row', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await rookery.post('/settings/automatic_updates/disable')
  await addTo(rookery)
  const [good, bad] = [await updatable(rookery, 'nas-1'), await updatable(rookery, 'nas-2')]
  await enrolledBird(rookery, { files: 1, device: { ...device, name: 'nas-3' } })
  await page.goto(`${rookery.console.apiUrl}/birds`)
  const { click, done } = walk(page, 'one Bird updated, another rolled back')
  await click('link', 'Updates')
  await page.getByText('0 Birds run 3.1.0; 3 Birds run another version.').waitFor()
  await click('button', 'Update nas-1')
  await says(good, 'applied', '')
  await row(page, 'nas-1').getByRole('status').getByText('applied').waitFor()
  await click('button', 'Update nas-2')
  await says(bad, 'failed', 'rolled back: it was started 3 times and never worked')
  const why = row(page, 'nas-2').getByRole('status')
  await why.getByText('rolled back: it was started 3 times and never worked').waitFor()
  expect(await why.getByRole('strong').textContent()).toBe('rolled back')
  done(4)

  // A selection: one that the console refuses says so on its own row.
  await page.getByLabel('Select nas-2').check()
  await page.getByLabel('Select nas-3').check()
  await page.getByRole('button', { name: 'Update 2 Birds' }).click()
  await row(page, 'nas-3').getByText('This Bird takes no updates').waitFor()
  await bad.receives('FILE_OFFER', 2)
  await row(page, 'nas-2').getByRole('progressbar').waitFor()
  const again = page.getByRole('button', { name: 'Update nas-2' })
  expect(await again.getAttribute('aria-disabled')).toBe('true')
  expect(complaints).toEqual([])
})

it('the automatic run is switched, says why it stopped, and goes on; a release is held back', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  await page.goto(`${rookery.console.apiUrl}/birds/updates`)
  await page.getByText('No release yet.').waitFor()
  const bird = await updatable(rookery, 'nas-1')
  await addTo(rookery)
  await rookery.post('/settings/automatic_updates/enable')
  await says(bird, 'failed', 'self-test failed: smb did not open')
  const settings = async () => (await rookery.api.consoleSettings.read()).settings
  await expect
    .poll(
      async () => {
        // It looks each minute; a switch that is turned wakes it.
        await rookery.post('/settings/automatic_updates/enable')
        return (await settings()).automatic_updates_stopped
      },
      { interval: 300 },
    )
    .toBe(release.tag)
  await page.reload()
  const stopped = page.getByRole('alert').filter({ hasText: 'an update to 3.1.0 failed' })
  await stopped.getByText('self-test failed: smb did not open').waitFor()
  await page.getByRole('switch', { name: 'Automatic run' }).click()
  await expect.poll(async () => (await settings()).automatic_updates).toBe(false)
  await stopped.getByRole('button', { name: 'Go on' }).click()
  await expect.poll(async () => (await settings()).automatic_updates_stopped).toBe('')
  await stopped.waitFor({ state: 'detached' })
  const ignored = async () => (await rookery.api.updates.list()).updates.map(({ ignore }) => ignore)
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await page.getByText('ignored: no Bird gets it').waitFor()
  expect(await ignored()).toEqual([true])
  await page.getByRole('button', { name: 'Update nas-1' }).click()
  await row(page, 'nas-1').getByText('The update is ignored.').waitFor()
  await page.getByRole('button', { name: 'Stop ignoring' }).click()
  await expect.poll(ignored).toEqual([false])
  expect(complaints).toEqual([])
})
