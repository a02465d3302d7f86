// The whole way of an upload: `curl -T` to the console, by the link to a real Bird, and out of its decoys.
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { RunningBird } from '@rookery/bird/options.ts'
import { COMMAND } from '@rookery/decoys/services/smb/protocol/codec/header.ts'
import { connected, contentOf, readBody } from '@rookery/decoys/lab/smb/windows/client.ts'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { portOf, realBird, when } from '../../../test/real-bird.ts'
import { freshDatabase, openTestConsole } from '../../../test/test-console.ts'

const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0

async function linkedBird() {
  const rookery = await openTestConsole()
  const dataDir = ownFolder()
  const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird(), dataDir)
  await when(bird, () => portOf(bird, 'http') > 0)
  return { rookery, bird, dataDir, node_id: bird.state().nodeId ?? '' }
}

/** As a user would send it, where there is curl. */
async function send(url = '', password = '', zip: Buffer): Promise<string> {
  if (!hasCurl) {
    const Authorization = `Basic ${Buffer.from(`upload:${password}`).toString('base64')}`
    return (await fetch(url, { method: 'PUT', headers: { Authorization }, body: zip })).text()
  }
  const file = join(ownFolder(), 'upload.zip')
  writeFileSync(file, zip)
  return (await run('curl', ['-sS', '-u', `upload:${password}`, '-T', file, url])).stdout
}

const page = async (bird: RunningBird, path = '/'): Promise<Buffer> =>
  Buffer.from(await (await fetch(`http://127.0.0.1:${portOf(bird, 'http')}${path}`)).arrayBuffer())

it('a site is shown by the decoy web server, another takes its place, and a setting removes it', async () => {
  const { rookery, bird, node_id } = await linkedBird()
  const { webrootStart, webrootStatus } = rookery.api.uploads
  const picture = randomBytes(700_000)
  const job = await webrootStart({ node_id })
  await expect.poll(() => webrootStatus({ node_id })).toMatchObject({ type: 'Start', pid: process.pid })
  const site = writeZip([zipEntry('index.html', '<h1>first</h1>'), zipEntry('img/logo.png', picture)])
  expect(JSON.parse(await send(job.url, job.password, site))).toMatchObject({ result: 'success' })
  await expect
    .poll(() => webrootStatus({ node_id }))
    .toMatchObject({
      type: 'End',
      outcome: 'applied',
      reason: '',
      bytes_copied: site.length,
    })
  await expect.poll(async () => (await page(bird)).toString()).toBe('<h1>first</h1>')
  expect((await page(bird, '/img/logo.png')).equals(picture)).toBe(true)

  const bad = await webrootStart({ node_id })
  await send(bad.url, bad.password, writeZip([zipEntry('index.html', 'x'), zipEntry('../evil', 'x')]))
  await expect
    .poll(() => webrootStatus({ node_id }))
    .toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('"../evil" has an empty part') as string,
    })
  expect((await page(bird)).toString()).toBe('<h1>first</h1>')

  const next = await webrootStart({ node_id })
  await send(next.url, next.password, writeZip([zipEntry('index.html', '<h1>second</h1>')]))
  await expect.poll(async () => (await page(bird)).toString()).toBe('<h1>second</h1>')

  const configure = (present: boolean) =>
    rookery.post('/device/configure', {
      node_id,
      merge: true,
      settings: JSON.stringify({ 'http.userwebroot_present': present }),
    })
  expect((await configure(false)).status).toBe(200)
  await expect.poll(async () => (await page(bird)).toString()).not.toContain('second')
  expect((await configure(true)).json['details']).toMatchObject({
    'http.userwebroot_present': expect.stringContaining('webrootupload/start') as string,
  })
})

it('files of a share are listed and read by their bytes, and a copy of the settings elsewhere has none of them', async () => {
  const { rookery, bird, node_id, dataDir } = await linkedBird()
  const { shareStart, shareEnd, shareStatus } = rookery.api.uploads
  const staff = randomBytes(300_000)
  const job = await shareStart({ node_id })
  await send(
    job.url,
    job.password,
    writeZip([zipEntry('HR/Staff.xlsx', staff), zipEntry('readme.txt', 'hi')]),
  )
  expect(await shareEnd({ node_id })).toMatchObject({ type: 'RequestEnd' })
  await expect.poll(() => shareStatus({ node_id })).toMatchObject({ type: 'End', outcome: 'applied' })
  const on = JSON.stringify({ 'smb.enabled': true })
  expect((await rookery.post('/device/configure', { node_id, merge: true, settings: on })).status).toBe(200)
  await when(bird, () => portOf(bird, 'smb') > 0)

  const { settings } = (await rookery.api.birdQueries.info({ node_id, settings: true })).device
  const given = { 'smb.filetree': settings?.['smb.filetree'] }
  expect(readShare(given, join(dataDir, 'share'), 'HR\\Staff.xlsx').equals(staff)).toBe(true)
  expect(readShare(given, join(dataDir, 'share'), 'readme.txt').toString()).toBe('hi')
  const drawn = readShare(given, ownFolder(), 'HR\\Staff.xlsx')
  expect([drawn.length, drawn.equals(staff)]).toEqual([staff.length, false])
})

it('a Bird that vanishes half-way returns to another console, and has the site whole', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const [one, other] = [await openTestConsole({ env }), await openTestConsole({ env })]
  const dataDir = ownFolder()
  const first = await realBird(one.console.linkUrl, await one.console.enrolLocalBird(), dataDir)
  await when(first, () => portOf(first, 'http') > 0)
  const node_id = first.state().nodeId ?? ''
  const picture = randomBytes(6 * 1024 * 1024)
  const job = await one.api.uploads.webrootStart({ node_id })
  const site = writeZip([zipEntry('index.html', 'whole'), zipEntry('logo.png', picture)])
  await send(job.url, job.password, site)
  const incoming = join(dataDir, 'incoming', job.job_id ?? '')
  await expect.poll(() => existsSync(incoming) && statSync(incoming).size > 0, { interval: 1 }).toBe(true)
  await first.stop()

  const second = await realBird(other.console.linkUrl, undefined, dataDir)
  await expect
    .poll(() => other.api.uploads.webrootStatus({ node_id }))
    .toMatchObject({ type: 'End', outcome: 'applied', bytes_copied: site.length })
  await when(second, () => portOf(second, 'http') > 0)
  await expect.poll(async () => (await page(second)).toString()).toBe('whole')
  expect((await page(second, '/logo.png')).equals(picture)).toBe(true)
})

/** Reads a file as a client of the decoy with this share. */
function readShare(settings: Record<string, unknown>, uploads: string, path: string): Buffer {
  const client = connected({ settings, uploads })
  const { body } = client.create(path)
  const fileId = body.subarray(64, 80)
  const size = Number(body.readBigUInt64LE(48))
  const pieces: Buffer[] = []
  for (let at = 0; at < size; at += 65_536)
    pieces.push(contentOf(client.request(COMMAND.read, readBody(fileId, at, Math.min(65_536, size - at)))))
  return Buffer.concat(pieces)
}
