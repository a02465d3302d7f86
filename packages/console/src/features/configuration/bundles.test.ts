// What becomes of new settings: over the link, with a Bird that takes, refuses, rolls back, or is away.
import { describe, expect, it } from 'vitest'
import type { Body } from '@rookery/link/messages.ts'
import { registeredBird } from '../../../test/birds.ts'
import {
  connectBird,
  enrolledBird,
  heartbeat,
  hello,
  helloBird,
  type TestBird,
} from '../../../test/link-bird.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

const bundles = async (rookery: TestConsole, node_id: string) =>
  (await rookery.api.configuration.bundles({ node_id })).bundles

/** State and reason of each bundle, the newest first. */
const states = async (rookery: TestConsole, node_id: string): Promise<string[]> =>
  (await bundles(rookery, node_id)).map(({ state, reason }) => (reason ? `${state}: ${reason}` : state))

async function rename(rookery: TestConsole, node_id: string, name: string): Promise<string> {
  const { settings } = (await rookery.api.birdQueries.info({ node_id, settings: true })).device
  const answer = await rookery.api.configuration.configure({
    node_id,
    settings: { ...settings, 'device.name': name },
  })
  return answer.bundle_tag
}

const fetchAll = async (bird: TestBird, offer: Body<'SETTINGS_OFFER'>): Promise<string> => {
  bird.send({ kind: 'SETTINGS_FETCH', body: { tag: offer.tag, offset: 0, length: offer.size } })
  return Buffer.from((await bird.receives('SETTINGS_CHUNK')).bytes, 'base64').toString()
}

const applied = ({ tag, seq }: Body<'SETTINGS_OFFER'>, notStanding: Body<'HEARTBEAT'>['notStanding'] = []) =>
  ({ kind: 'SETTINGS_APPLIED', body: { tag, seq, serviceCount: 4, notStanding } }) as const

/** A Bird that is commissioned, and was offered its first settings. */
async function online(rookery: TestConsole) {
  const bird = await enrolledBird(rookery)
  const { key, nodeId } = bird
  return { key, bird, nodeId, offer: await bird.receives('SETTINGS_OFFER') }
}

describe.each(engines)('the bundle of new settings (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('waits, is started by the first bytes, and applied when the Bird says so', async () => {
    const { bird, nodeId, offer } = await online(rookery)
    expect(await bundles(rookery, nodeId)).toMatchObject([
      { state: 'waiting', bytes_copied: 0, started_time: '', ended_time: '' },
    ])
    const text = await fetchAll(bird, offer)
    const whole = { bundle_size: offer.size, bytes_copied: offer.size, reason: '' }
    await expect.poll(() => bundles(rookery, nodeId)).toMatchObject([{ ...whole, state: 'started' }])
    expect(JSON.parse(text)).toEqual(
      (await rookery.api.birdQueries.info({ node_id: nodeId, settings: true })).device.settings,
    )
    const time = expect.stringMatching(/^\d{10}$/) as string
    const facts = {
      name: 'Settings of nas-02',
      settings_key: offer.tag,
      checksum: offer.sha256,
      created_time: time,
    }
    const began = await bundles(rookery, nodeId)
    expect(began).toMatchObject([{ ...facts, started_time: time, ended_time: '' }])
    bird.send(applied(offer))
    await expect.poll(() => bundles(rookery, nodeId)).toMatchObject([{ ...whole, state: 'applied' }])
    const [ended] = await bundles(rookery, nodeId)
    expect(ended).toMatchObject({ ...facts, started_time: began[0]?.started_time, ended_time: time })
  })

  it('names the decoys that do not listen, and the key that a Bird cannot use', async () => {
    const { bird, nodeId, offer } = await online(rookery)
    bird.send(applied(offer, [{ instance: 'ssh', reason: 'port 22 is in use' }]))
    await expect.poll(() => states(rookery, nodeId)).toEqual(['applied: ssh: port 22 is in use'])
    const bundle_tag = await rename(rookery, nodeId, 'till-3')
    const { tag, seq } = await bird.receives('SETTINGS_OFFER', 2)
    const reason = 'ssh.version must be one of OpenSSH_1, not "OpenSSH_9"'
    bird.send({ kind: 'SETTINGS_FAILED', body: { tag, seq, reason } })
    await expect
      .poll(async () => (await rookery.api.configuration.bundle({ bundle_tag })).bundle)
      .toMatchObject({ node_id: nodeId, state: 'failed', reason })
    const { device } = await rookery.api.birdQueries.info({ node_id: nodeId })
    expect(device['settings_failure']).toContain(reason)
  })

  it('is rolled back where the Bird lost its console under it', async () => {
    const { bird, nodeId, offer } = await online(rookery)
    bird.send(applied(offer))
    await rename(rookery, nodeId, 'till-3')
    const second = await bird.receives('SETTINGS_OFFER', 2)
    const reason = 'the console could not be reached within 120 s'
    const { tag, seq } = second
    bird.send({ kind: 'SETTINGS_REVERTED', body: { tag, seq, to: offer.tag, reason } })
    await expect.poll(() => states(rookery, nodeId)).toEqual([`rolled back: ${reason}`, 'applied'])
  })

  it('waits for a Bird that is offline; of two the newer one is sent', async () => {
    const { key, bird, nodeId, offer } = await online(rookery)
    bird.send(applied(offer))
    await expect.poll(() => states(rookery, nodeId)).toEqual(['applied'])
    await bird.close()
    await rename(rookery, nodeId, 'till-3')
    await rename(rookery, nodeId, 'till-4')
    expect(await states(rookery, nodeId)).toEqual([
      'waiting',
      'failed: Newer settings replaced it before it was applied.',
      'applied',
    ])
    await rookery.restart()
    const again = await helloBird(
      rookery.console.linkUrl,
      { nodeId, settings: { tag: offer.tag, seq: offer.seq } },
      { key },
    )
    const newer = await again.receives('SETTINGS_OFFER')
    expect(JSON.parse(await fetchAll(again, newer))).toMatchObject({ 'device.name': 'till-4' })
    again.send(applied(newer))
    await expect.poll(async () => (await states(rookery, nodeId))[0]).toBe('applied')
    expect(again.received.filter(({ kind }) => kind === 'SETTINGS_OFFER')).toHaveLength(1)
  })

  it('counts as applied when the report was lost, and the Bird comes back with it', async () => {
    const { key, bird, nodeId, offer } = await online(rookery)
    await bird.close()
    const again = await connectBird(rookery.console.linkUrl, { key })
    const settings = { tag: offer.tag, seq: offer.seq }
    again.send(hello({ nodeId, settings }))
    again.send(heartbeat({ settings }))
    await expect
      .poll(() => bundles(rookery, nodeId))
      .toMatchObject([{ state: 'applied', bytes_copied: offer.size }])
  })

  it('goes with its Bird', async () => {
    const node_id = await registeredBird(rookery)
    const bundle_tag = await rename(rookery, node_id, 'till-3')
    expect((await rookery.get('/bundle/info', { bundle_tag: 'f'.repeat(32) })).status).toBe(404)
    expect((await rookery.get('/bundles/list', { node_id: 'none' })).status).toBe(404)
    await rookery.api.registration.decommission({ node_id })
    expect((await rookery.get('/bundle/info', { bundle_tag })).status).toBe(404)
    expect((await rookery.get('/bundles/list', { node_id })).status).toBe(404)
  })
})
