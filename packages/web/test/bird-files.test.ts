// A zip dropped on a Bird's page in a real browser, and what a real Bird makes of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { ownFolder } from '@rookery/console/test/own-folder.ts'
import { portOf, realBird, when } from '@rookery/console/test/real-bird.ts'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { MAX_FILE_BYTES } from '@rookery/link/messages.ts'
import type { Locator } from 'playwright-core'
import { inBrowser, openSignedIn } from './rig.ts'

const it = inBrowser()

/** Drops a file on it, as somebody does from a folder. */
async function drop(on: Locator, name: string, bytes: Buffer): Promise<void> {
  const data = await on.page().evaluateHandle(
    ([name, base64]) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0))
      transfer.items.add(new File([bytes], name))
      return transfer
    },
    [name, bytes.toString('base64')] as const,
  )
  await on.dispatchEvent('drop', { dataTransfer: data })
}

it('a zip dropped on a Bird is its web site and its share; a bad one names what is wrong', async (rig) => {
  const { page, rookery, complaints } = await openSignedIn(rig)
  const { code } = await rookery.api.enrolments.create({ uses: 1 })
  const bird = await realBird(rookery.console.linkUrl, code, ownFolder())
  await when(bird, () => portOf(bird, 'http') !== 0)
  const node_id = bird.state().nodeId ?? ''
  await page.goto(`${rookery.console.apiUrl}/birds/${node_id}`)
  await page.getByRole('link', { name: 'Files' }).click()
  const site = page.getByRole('region', { name: 'Web site' })
  const zone = site.getByLabel('Zip')
  await drop(zone, 'site.zip', writeZip([zipEntry('index.html', '<h1>Intranet of Kestrel</h1>')]))
  await site.getByText('The Bird shows the new site.').waitFor()
  const shown = async () => (await fetch(`http://127.0.0.1:${portOf(bird, 'http')}/`)).text()
  await expect.poll(shown).toBe('<h1>Intranet of Kestrel</h1>')

  await drop(zone, 'bad.zip', writeZip([zipEntry('index.html', 'x'), zipEntry('../evil', 'x')]))
  await site.getByText('"../evil" has an empty part').waitFor()
  expect(await shown()).toBe('<h1>Intranet of Kestrel</h1>')

  // What is wrong beforehand is said beforehand: nothing is sent.
  const jobs = () => rookery.api.uploads.webrootStatus({ node_id })
  const { job_id } = await jobs()
  await zone.setInputFiles({ name: 'site.zip', mimeType: '', buffer: Buffer.from('<h1>no zip</h1>') })
  await site.getByText('This file is no zip.').waitFor()
  // By its path: the browser reads it itself.
  const big = join(ownFolder(), 'big.zip')
  writeFileSync(big, Buffer.alloc(MAX_FILE_BYTES + 1, 'PK'))
  await zone.setInputFiles(big)
  await site.getByText('a zip may have 32 MiB').waitFor()
  expect((await jobs()).job_id).toBe(job_id)

  const share = page.getByRole('region', { name: 'Files of the share' })
  await drop(share.getByLabel('Zip'), 'share.zip', writeZip([zipEntry('HR/Staff.txt', 'names')]))
  await share.getByText('The zip has arrived.').waitFor()
  await share.getByRole('button', { name: 'Save' }).click()
  await share.getByText('The share has the new files.').waitFor()
  const { settings } = (await rookery.api.birdQueries.info({ node_id, settings: true })).device
  expect(JSON.stringify(settings?.['smb.filetree'])).toContain('Staff.txt')

  // A job of another tab: it is shown, taken up, and cancelled.
  await rookery.api.uploads.webrootStart({ node_id })
  await site.getByText('An upload was begun').waitFor()
  await site.getByRole('button', { name: 'Cancel the upload' }).click()
  await site.getByText('The last upload changed nothing.').waitFor()

  const old = await registeredBird(rookery, { live: 1, takes_files: 0, version: '2.9.0' })
  await page.goto(`${rookery.console.apiUrl}/birds/${old}/files`)
  await drop(zone, 'site.zip', writeZip([zipEntry('index.html', 'x')]))
  await site.getByText('runs release 2.9.0, which takes no files: update it first').waitFor()
  const gone = await registeredBird(rookery, { live: 0 })
  await page.goto(`${rookery.console.apiUrl}/birds/${gone}/files`)
  await site.getByText('The Bird is offline.').waitFor()
  expect(complaints).toEqual([])
})
