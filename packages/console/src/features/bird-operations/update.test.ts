import { describe, expect, it } from 'vitest'
import type { Body } from '@rookery/link/messages.ts'
import { signedRelease } from '@rookery/link/test/signed-release.ts'
import { registeredBird } from '../../../test/birds.ts'
import { enrolledBird, hello } from '../../../test/link-bird.ts'
import { engines, ownTestConsole } from '../../../test/test-console.ts'
import { addRelease } from '../../flows/releases/add.ts'

const { device } = hello().body as Body<'HELLO'>
const { sensor } = device
const release = signedRelease(undefined, {
  sensors: [sensor],
  needs: { node: ['24.21.0'], app_from: '2.9.0' },
})

describe.each(engines)('device/update (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })
  const add = (): Promise<unknown> =>
    addRelease(rookery.console.base, 64 * 1024 * 1024, { ...release, description: '' })
  const update = (node_id: string, more: Record<string, string> = {}) =>
    rookery.post('/device/update', { node_id, update_tag: release.tag, ...more })

  it('offers the Bird manifest, signature and archive, and shows what became of it', async () => {
    await rookery.post('/settings/automatic_updates/disable')
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
      [{ url: 'http://10.0.0.1/a' }, 'url'],
    ] as const)
      expect(await update(good, params)).toMatchObject({
        status: 400,
        json: { details: { [name]: expect.any(String) as string } },
      })
    for (const [columns, message] of [
      [{ settings: '{"remoteupdates.enabled":false}' }, 'Settings does not permit updating this Bird.'],
      [
        { takes_updates: 0 },
        'This Bird was not installed by its package: its image, or its clone, updates it.',
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
