import { describe, expect, it } from 'vitest'
import type { Body } from '@rookery/link/messages.ts'
import { signedRelease } from '@rookery/link/test/signed-release.ts'
import { registeredBird } from '../../../test/birds.ts'
import { enrolledBird, hello } from '../../../test/link-bird.ts'
import { engines, ownTestConsole } from '../../../test/test-console.ts'
import { addRelease } from '../../flows/releases/add.ts'
import { withUpdateLink } from '../../flows/releases/update-link.ts'

const { device } = hello().body as Body<'HELLO'>
const { sensor } = device
const release = signedRelease(undefined, {
  sensors: [sensor],
  needs: { node: ['24.21.0'], app_from: '2.9.0' },
})

describe.each(engines)('device/update (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })
  const add = async (): Promise<unknown> => {
    await rookery.post('/settings/automatic_updates/disable')
    return addRelease(rookery.console.base, 64 * 1024 * 1024, { ...release, description: '' })
  }
  const update = (node_id: string, more: Record<string, string> = {}) =>
    rookery.post('/device/update', { node_id, update_tag: release.tag, ...more })

  it('offers the Bird manifest, signature and archive, and shows what became of it', async () => {
    await add()
    const bird = await enrolledBird(rookery, { files: 1, updates: 1 })
    const { nodeId } = bird
    const { status, json } = await update(nodeId)
    expect(status, JSON.stringify(json)).toBe(200)
    const job = String(json['bundle_tag'])
    const offer = await bird.receives('FILE_OFFER')
    expect(offer).toMatchObject({ job, kind: 'app', file: { size: release.archive.length } })
    expect(offer.app).toMatchObject({ manifest: release.manifest.toString(), signature: release.signature })
    expect(await update(nodeId)).toMatchObject({
      status: 409,
      json: { message: `The update ${job} of this Bird is pending.` },
    })
    const { json: updating } = await rookery.get('/update/updating_devices')
    expect(updating['updating_devices']).toEqual([nodeId])

    bird.send({ kind: 'FILE_FETCH', body: { job, offset: 0, length: release.archive.length } })
    const { bytes } = await bird.receives('FILE_CHUNK')
    expect(Buffer.from(bytes, 'base64').equals(release.archive)).toBe(true)
    const reason = 'rolled back: it was started 3 times and never worked'
    const said: Body<'FILE_STATE'> = { job, state: 'failed', copied: 0, pid: 7, reason }
    bird.send({ kind: 'FILE_STATE', body: said })
    await expect
      .poll(async () => (await rookery.api.configuration.bundle({ bundle_tag: job })).bundle)
      .toMatchObject({ type: 'update', state: 'rolled back', reason, tag: job })
    const { bundles } = await rookery.api.configuration.bundles({ node_id: nodeId })
    expect(bundles.filter(({ type }) => type === 'update')).toMatchObject([
      { tag: job, state: 'rolled back' },
    ])
    expect((await rookery.get('/update/updating_devices')).json['updating_devices']).toEqual([])
    // The archive stays for the next Bird.
    expect((await update(nodeId)).status).toBe(200)
  })

  it('offers a link of the console, or a mirror; the link needs no key, and is good for this job and an hour', async () => {
    await add()
    const bird = await enrolledBird(rookery, { files: 1, updates: 1 })
    const job = (await update(bird.nodeId, { use_console_url: 'true' })).json['bundle_tag']
    const link = (await bird.receives('FILE_OFFER')).app?.source ?? ''
    const ask = (path: string, init: RequestInit = {}) => fetch(`${rookery.console.apiUrl}${path}`, init)
    const whole = await ask(link)
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
    expect(Buffer.from(await whole.arrayBuffer()).equals(release.archive)).toBe(true)
    const size = release.archive.length
    for (const [range, first, end] of [
      ['bytes=40-', 40, size],
      ['bytes=7-9', 7, 10],
      ['bytes=-5', size - 5, size],
      [`bytes=5-${size * 2}`, 5, size],
    ] as const) {
      const part = await ask(link, { headers: { Range: range } })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${first}-${end - 1}/${size}`,
      ])
      expect(Buffer.from(await part.arrayBuffer()).equals(release.archive.subarray(first, end))).toBe(true)
    }
    const beyond = await ask(link, { headers: { Range: `bytes=${size}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    const head = await ask(link, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)])

    const forged = await ask(link.replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A')))
    expect([forged.status, await forged.text()]).toEqual([
      403,
      expect.stringContaining('not made by this console'),
    ])
    const { vault, world } = rookery.console.base
    const past = withUpdateLink(vault, world.clock.now() - 3_600_000, {
      job_id: String(job),
      kind: 'app',
      state: 'sending',
      file_id: '',
      size: 0,
      source: 'console',
      sha256: null,
      manifest: null,
      signature: null,
    })
    expect((await ask(past.source)).status).toBe(403)
    bird.send({
      kind: 'FILE_STATE',
      body: { job: String(job), state: 'failed', copied: 0, pid: 7, reason: 'no' },
    })
    await expect.poll(async () => (await ask(link)).status).toBe(404)

    const url = 'http://10.0.0.8/rookery-bird-3.1.0.tar.zst'
    expect((await update(bird.nodeId, { url })).status).toBe(200)
    expect((await bird.receives('FILE_OFFER', 2)).app?.source).toBe(url)
  })

  it('refuses with the reason: an unknown Bird or tag, and a Bird that must not get this update', async () => {
    await add()
    const node = (columns: Parameters<typeof registeredBird>[1]) =>
      registeredBird(rookery, { takes_updates: 1, sensor, version: '3.0.0', ...columns })
    const good = await node({})
    expect(await update('0123456789abcdef')).toMatchObject({ status: 404 })
    expect(await update(good, { update_tag: 'ab' })).toMatchObject({
      status: 404,
      json: { message: 'Update with tag ab does not exist.' },
    })
    for (const [params, name] of [
      [{ req_len: '31' }, 'req_len'],
      [{ req_len: '1001' }, 'req_len'],
      [{ url: 'http://10.0.0.1/a', use_console_url: 'true' }, 'url'],
      [{ url: 'ftp://10.0.0.1/a' }, 'url'],
      [{ url: 'http://169.254.169.254/a' }, 'url'],
    ] as const)
      expect(await update(good, params)).toMatchObject({
        status: 400,
        json: { details: { [name]: expect.any(String) as string } },
      })
    for (const [columns, message] of [
      [
        { settings: JSON.stringify({ 'remoteupdates.enabled': false }) },
        'Settings does not permit updating this Bird.',
      ],
      [
        { takes_updates: 0 },
        'This Bird takes no updates: no package with release keys installed it. Renew its package, its image or its clone.',
      ],
      [{ sensor: 'linux-riscv64' }, `The update is for ${sensor}; this Bird is linux-riscv64.`],
      [{ version: '3.1.0' }, 'The update is the version 3.1.0; this Bird has 3.1.0.'],
      [
        { version: '2.8.9' },
        'The update is for versions from 2.9.0 on; this Bird has 2.8.9. Update it to 2.9.0 first.',
      ],
    ] as const)
      expect(await update(await node(columns))).toMatchObject({ status: 409, json: { message } })
    await rookery.post('/update/ignore', { update_tag: release.tag })
    expect(await update(good)).toMatchObject({
      status: 409,
      json: { message: 'The update is ignored. Call update/unignore first.' },
    })
  })
})
