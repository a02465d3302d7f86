// An update from the command line to the running decoys: a real console, and a Bird as its package installs it.
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readState } from '@rookery/bird/launcher/state.ts'
import { releaseOf, type SignedRelease } from '@rookery/link/test/signed-release.ts'
import { filesOf, installedBird, type InstalledBird } from './installed-bird.ts'
import { ADMIN, newFolder, rookery, serve, type ServeProcess } from './run-rookery.ts'

interface Fleet {
  readonly console: ServeProcess
  readonly bird: InstalledBird
  readonly nodeId: string
  readonly release: SignedRelease
}

/** A console that has the release 3.1.0 and gives it to no Bird by itself, and a Bird that is registered. */
async function fleet(): Promise<Fleet> {
  const [dataDir, folder] = [newFolder(), newFolder()]
  const release = releaseOf(await filesOf('3.1.0'), { version: '3.1.0' })
  const archive = join(folder, 'a.tar.zst')
  writeFileSync(archive, release.archive)
  writeFileSync(join(folder, 'a.manifest.json'), release.manifest)
  writeFileSync(join(folder, 'a.manifest.json.sig'), release.signature)
  const console = await serve(dataDir, { ROOKERY_TOKENS_LISTEN: '127.0.0.1:0' })
  await console.post('/settings/automatic_updates/disable')
  const added = await rookery(['release', 'add', archive], { ROOKERY_DATA_DIR: dataDir })
  expect([added.code, added.stdout.trim(), added.stderr]).toEqual([0, release.tag, ''])
  const code = String((await console.post('/enrolment/create', { flock_id: 'flock:default' })).json['code'])
  const bird = await installedBird(console.apiUrl, { args: ['--enrol', code] })
  const nodeId = await expect
    .poll(() => /Bird ([0-9a-f]{16}) is running/.exec(bird.output.join(''))?.[1], { timeout: 240_000 })
    .toMatch(/./)
    .then(() => /Bird ([0-9a-f]{16}) is running/.exec(bird.output.join(''))?.[1] ?? '')
  return { console, bird, nodeId, release }
}

/** What became of the update, once it has ended. */
async function outcome({ console, nodeId, release }: Fleet, more: Record<string, string>) {
  const { status, json } = await console.post('/device/update', {
    node_id: nodeId,
    update_tag: release.tag,
    ...more,
  })
  expect(status, JSON.stringify(json)).toBe(200)
  const bundle = async () =>
    (await console.get('/bundle/info', { bundle_tag: String(json['bundle_tag']) })).json[
      'bundle'
    ] as unknown as {
      readonly state: string
      readonly reason: string
      readonly bytes_copied: number
    }
  await expect
    .poll(async () => (await bundle()).state, { timeout: 240_000 })
    .toMatch(/applied|failed|rolled back/)
  return bundle()
}

it.each([
  ['its link', {}],
  ['a signed link of the console', { use_console_url: 'true' }],
])(
  'a Bird is updated by %s, and its decoys stand again',
  async (_way, more) => {
    const scene = await fleet()
    const { console, bird, nodeId, release } = scene
    expect(await outcome(scene, more)).toMatchObject({
      state: 'applied',
      reason: '',
      bytes_copied: release.archive.length,
    })
    expect(readState(bird.releases)).toMatchObject({ current: release.tag })
    const { devices } = (await console.get('/devices/all')).json as unknown as { devices: object[] }
    expect(devices).toMatchObject([{ id: nodeId, version: '3.1.0', live: true }])
    const { json } = await console.post('/device/update', { node_id: nodeId, update_tag: release.tag })
    expect(json['message']).toBe('The update is the version 3.1.0; this Bird has 3.1.0.')
  },
  480_000,
)

it('a Bird is updated by itself once that is switched on', async () => {
  const { console } = await fleet()
  expect((await console.get('/update/updatable_birds')).json['updatable_devices']).toHaveLength(1)
  await console.post('/settings/automatic_updates/enable')
  await expect
    .poll(async () => (await console.get('/devices/all')).json['devices'], { timeout: 240_000 })
    .toMatchObject([{ version: '3.1.0', live: true }])
}, 480_000)

const page = readFileSync(join(import.meta.dirname, '../../../docs/updates.md'), 'utf8')
/** What docs/updates.md types at a console that serves. */
const commands = Array.from(page.matchAll(/^rookery (api .+)$/gm), ([, line = '']) => line)

it('the commands of docs/updates.md work as they are printed', async () => {
  const { console, bird, nodeId, release } = await fleet()
  expect(commands.map((line) => line.split(' ')[1])).toEqual([
    'update/updatable_birds',
    'update/updating_devices',
    'update/ignore',
    'update/unignore',
    'update/resume',
    'settings/automatic_updates/disable',
    'device/update',
    'bundles/list',
  ])
  const said: string[] = []
  for (const line of commands) {
    const args = line
      .replace('the-bird', nodeId)
      .replace('the-tag', release.tag)
      .replace('http://127.0.0.1:8080', console.apiUrl)
    const { code, stdout, stderr } = await rookery(args.split(' '), { ROOKERY_API_KEY: ADMIN })
    expect([code, stderr], line).toEqual([0, ''])
    said.push(stdout)
  }
  expect(said[0]).toContain(`"updatable_devices":["${nodeId}"]`)
  expect(said.at(-1)).toContain('"type":"update"')
  await expect
    .poll(() => readState(bird.releases), { timeout: 240_000 })
    .toMatchObject({ current: release.tag })
}, 480_000)

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address
if (ownAddress === undefined)
  process.stderr.write('This machine has no address but loopback: no mirror is asked.\n')

it.skipIf(ownAddress === undefined)(
  'a Bird is updated from a mirror of its network, and from none on its own machine',
  async () => {
    const scene = await fleet()
    const asked: string[] = []
    const mirror = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.range}`)
      response.end(scene.release.archive)
    }).listen(0)
    await once(mirror, 'listening')
    onTestFinished(() => void mirror.close())
    const { port } = mirror.address() as AddressInfo
    const refused = await outcome(scene, { url: `http://localhost:${port}/a.tar.zst` })
    expect(refused.state).toBe('failed')
    expect(refused.reason).toMatch(
      /^the download from localhost:\d+ failed: localhost is at .*loopback, link-local/,
    )
    expect(asked).toEqual([])
    expect(await outcome(scene, { url: `http://${ownAddress}:${port}/a.tar.zst` })).toMatchObject({
      state: 'applied',
    })
    expect(asked).toEqual(['GET /a.tar.zst bytes=0-'])
  },
  480_000,
)
