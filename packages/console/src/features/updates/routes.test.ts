import { describe, expect, it } from 'vitest'
import { signedRelease, type SignedRelease } from '@rookery/link/test/signed-release.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { addRelease } from '../../flows/releases/add.ts'
import { openHousekeeping } from '../../flows/housekeeping.ts'
import { removeRelease } from '../../flows/releases/remove.ts'
import { endTransfer } from '../../stores/transfers/store.ts'
import { registeredBird } from '../../../test/birds.ts'

const MAX_BYTES = 64 * 1024 * 1024
const add = ({ console }: TestConsole, release: SignedRelease, description = '') =>
  addRelease(console.base, MAX_BYTES, { ...release, description })

const release = signedRelease(
  { 'rookery-bird.mjs': 'process.exit()' },
  { sensors: ['linux-x64', 'linux-arm64'] },
)

describe.each(engines)('updates (%s)', (engine) => {
  it('are listed as they were added, and downloaded byte for byte', async () => {
    const rookery = await openTestConsole({ engine })
    await add(rookery, release)
    const second = signedRelease({ 'rookery-bird.mjs': 'x'.repeat(700_000) }, { version: '3.2.0', seq: 42 })
    await add(rookery, second, 'Answers FEAT')
    const { json } = await rookery.get('/updates/list')
    expect(json['updates']).toMatchObject([
      {
        description: 'Bird 3.1.0',
        filename: 'rookery-bird-3.1.0.tar.zst',
        ignore: false,
        supported_versions: ['>=3.0.0'],
        tag: release.tag,
        target_sensors: ['linux-x64', 'linux-arm64'],
        version: '3.1.0',
      },
      { description: 'Answers FEAT', tag: second.tag },
    ])
    // The sweep leaves what a release owns.
    const housekeeping = openHousekeeping(rookery.console.base)
    await housekeeping.sweep()
    await housekeeping.stop()
    for (const { tag, archive } of [release, second]) {
      const answer = await fetch(`${rookery.console.apiUrl}/api/v1/update/fetch?update_tag=${tag}`, {
        headers: { 'X-Auth-Token': ADMIN },
      })
      expect(answer.headers.get('content-type')).toBe('application/zstd')
      expect(Buffer.from(await answer.arrayBuffer()).equals(archive)).toBe(true)
    }
  })

  it('are ignored and wanted again; an unknown tag is named', async () => {
    const rookery = await openTestConsole({ engine })
    await add(rookery, release)
    const ignored = async () => (await rookery.api.updates.list()).updates.map(({ ignore }) => ignore)
    await rookery.api.updates.ignore({ update_tag: release.tag })
    expect(await ignored()).toEqual([true])
    await rookery.api.updates.unignore({ update_tag: release.tag })
    expect(await ignored()).toEqual([false])
    const message = 'Update with tag 0123 does not exist.'
    for (const call of [
      rookery.get('/update/fetch', { update_tag: '0123' }),
      rookery.post('/update/ignore', { update_tag: '0123' }),
      rookery.post('/update/unignore', { update_tag: '0123' }),
    ])
      expect(await call).toMatchObject({ status: 404, json: { message } })
  })

  it('are removed with their archive, unless a Bird is being given one', async () => {
    const rookery = await openTestConsole({ engine })
    const { base } = rookery.console
    await rookery.api.updates.disableAutomatic()
    const { tag } = await add(rookery, release)
    const bird = { takes_updates: 1, sensor: 'linux-x64', version: '3.0.0' }
    const node_id = await registeredBird(rookery, bird)
    const { bundle_tag } = await rookery.api.birdOperations.update({ node_id, update_tag: tag })
    await expect(removeRelease(base, tag)).rejects.toThrow(`The release ${tag} is on its way to 1 Birds.`)
    await base.writer.write((tx) => endTransfer(tx, bundle_tag, 1, { state: 'applied', reason: '' }))
    await removeRelease(base, tag)
    expect((await rookery.api.updates.list()).updates).toEqual([])
    const housekeeping = openHousekeeping(base)
    await housekeeping.sweep()
    await housekeeping.stop()
    expect(await base.reader.selectFrom('stored_file').select('owner').execute()).toEqual([])
    await expect(removeRelease(base, tag)).rejects.toThrow(`Update with tag ${tag} does not exist.`)
  })

  it('are refused twice, and where their parts do not fit together; nothing of them stays', async () => {
    const rookery = await openTestConsole({ engine })
    await add(rookery, release)
    await expect(add(rookery, release)).rejects.toThrow(`The release ${release.tag} was added before.`)
    const other = signedRelease({ 'rookery-bird.mjs': 'other' })
    for (const [wrong, reason] of [
      [{ ...other, archive: release.archive }, 'its archive is another one than its manifest names'],
      [{ ...other, manifest: Buffer.from('{}') }, 'its manifest has the format undefined'],
      [
        { ...other, manifest: Buffer.alloc(10_000_000) },
        'its manifest has 10000000 bytes; 65536 are the most',
      ],
      [{ ...other, archive: Buffer.alloc(9_000_000) }, 'its archive has 9000000 bytes; 8388608 are the most'],
    ] as const)
      await expect(add(rookery, wrong)).rejects.toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining(reason) as string,
      })
    const files = await rookery.console.base.reader.selectFrom('stored_file').select('owner').execute()
    expect(files).toEqual([{ owner: release.tag }])
  })
})
