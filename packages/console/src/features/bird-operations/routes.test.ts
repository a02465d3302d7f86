import { describe, expect, it } from 'vitest'
import { addReceiver, loopbackOutbound } from '../../../test/raise-incident.ts'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import {
  engines,
  openTestConsole,
  ownTestConsole,
  type Answer,
  type TestConsole,
} from '../../../test/test-console.ts'
import { enrolledBird, helloBird, SPOOL } from '../../../test/link-bird.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { sshLogin } from '../../../test/touches.ts'

const info = async (rookery: TestConsole, node_id: string) =>
  (await rookery.api.birdQueries.info({ node_id, settings: true })).device
const reboot = (rookery: TestConsole, node_id: string): Promise<Answer> =>
  rookery.post('/device/reboot', { node_id })

describe.each(engines)('reboots (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('a Bird that has its link is sent the command at once, and once for several requests', async () => {
    const bird = await enrolledBird(rookery)
    const { nodeId } = bird
    expect((await reboot(rookery, nodeId)).json).toEqual({ result: 'success' })
    const command = await bird.receives('CMD')
    expect(command.kind).toBe('reboot')
    await reboot(rookery, nodeId)
    bird.send({ kind: 'CMD_RESULT', body: { id: command.id, ok: true, detail: 'rebooting' } })
    // Once it has answered, the next request is a new command.
    await expect
      .poll(async () => {
        await reboot(rookery, nodeId)
        return bird.received.filter(({ kind }) => kind === 'CMD').length
      })
      .toBe(2)
    expect((await bird.receives('CMD', 2)).id).not.toBe(command.id)
  })

  it('a Bird that is offline is sent the command when it comes back, also after a restart of the console', async () => {
    const bird = await enrolledBird(rookery)
    const { key, nodeId } = bird
    await bird.close()
    expect((await reboot(rookery, nodeId)).status).toBe(200)
    await rookery.restart()
    const again = await helloBird(rookery.console.linkUrl, { nodeId }, { key })
    expect((await again.receives('CMD')).kind).toBe('reboot')
  })

  it('nobody else can be rebooted', async () => {
    expect((await reboot(rookery, 'ffffffffffffffff')).status).toBe(404)
    expect((await reboot(rookery, await pendingBird(rookery))).status).toBe(409)
    const gone = await registeredBird(rookery)
    await rookery.api.registration.decommission({ node_id: gone })
    const answer = await reboot(rookery, gone)
    expect([answer.status, answer.json['message']]).toEqual([404, 'Bird not found'])
  })
})

describe.each(engines)('muted Birds (%s)', (engine) => {
  it('raise incidents without alerts until they are unmuted', async () => {
    const rookery = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    const [muted, loud] = [await registeredBird(rookery), await registeredBird(rookery)]
    const mute = (on: boolean) =>
      rookery.api.birdOperations.notifications({ node_id: muted, ignore_notifications_general: on })
    const touch = (nodeId: string, seq: number, srcHost: string): Promise<unknown> => {
      return rookery.console.ingest.fromBird({
        nodeId,
        spoolId: SPOOL,
        receivedAt: Date.now(),
        events: [{ seq, touch: { ...sshLogin().touch, nodeId, srcHost } }],
      })
    }
    expect((await mute(true)).device['ignore_notifications_general']).toBe('True')
    await touch(muted, 1, '192.0.2.1')
    await touch(loud, 1, '192.0.2.2')
    // Alerts of one receiver keep their order: the first that comes would be the muted one's.
    await receiver.tries(1)
    await mute(false)
    await touch(muted, 2, '192.0.2.3')
    const alerts = await receiver.tries(2)
    expect(alerts.map(({ json }) => json['SourceIP'])).toEqual(['192.0.2.2', '192.0.2.3'])
    const all = (await rookery.api.incidentQueries.all()).incidents
    expect(all).toHaveLength(3)
  })

  it('each flag is set by itself, shows everywhere, and stays over a restart', async () => {
    const rookery = await openTestConsole({ engine })
    const node_id = await registeredBird(rookery)
    const set = (flag: 'disconnect' | 'reconnect', on: boolean) =>
      rookery.api.birdOperations.notifications({ node_id, [`ignore_notifications_${flag}`]: on })
    await set('disconnect', true)
    expect((await set('reconnect', true)).device).toMatchObject({
      ignore_notifications_general: 'False',
      ignore_notifications_disconnect: 'True',
      ignore_notifications_reconnect: 'True',
    })
    await set('disconnect', false)
    await rookery.restart()
    expect((await rookery.api.birdQueries.all()).devices).toMatchObject([
      {
        ignore_notifications: false,
        ignore_notifications_disconnects: false,
        ignore_notifications_reconnects: true,
      },
    ])
    expect((await rookery.post('/device/notifications', { node_id })).status).toBe(400)
    expect((await rookery.post('/device/notifications', { node_id: 'x' })).status).toBe(404)
  })
})

describe.each(engines)('describing a Bird (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('shows in its records, and what is not said stays', async () => {
    const node_id = await registeredBird(rookery, { name: 'old', location: 'Bonn' })
    const said = { note: 'Rack 7\nleft', cloud_project: 'shop', region_id: 'eu-1' }
    const { device } = await rookery.api.birdOperations.describe({ node_id, ...said })
    expect(device).toMatchObject({ name: 'old', location: 'Bonn', note: said.note })
    await rookery.api.birdOperations.describe({ node_id, location: ' ', description: 'The till' })
    expect((await rookery.api.birdQueries.all()).devices).toMatchObject([
      { ...said, name: 'old', location: '', description: 'The till', subnet: '' },
    ])
  })

  it('a new name reaches the Bird with new settings; the cloud fields stay when it comes again', async () => {
    const bird = await enrolledBird(rookery)
    const { key, nodeId } = bird
    const { tag } = await bird.receives('SETTINGS_OFFER')
    await rookery.api.birdOperations.describe({ node_id: nodeId, name: ' till-3 ', cloud_zone: 'eu-1b' })
    const offer = await bird.receives('SETTINGS_OFFER', 2)
    expect(offer.tag).not.toBe(tag)
    expect(await info(rookery, nodeId)).toMatchObject({
      name: 'till-3',
      current_settings: offer.tag,
      settings: { 'device.name': 'till-3' },
    })
    // The same name again is no news.
    await rookery.api.birdOperations.describe({ node_id: nodeId, name: 'till-3', note: 'x' })
    expect((await info(rookery, nodeId))['current_settings']).toBe(offer.tag)
    await bird.close()
    const again = await helloBird(rookery.console.linkUrl, { nodeId }, { key })
    await again.receives('REGISTERED')
    expect((await rookery.api.birdQueries.all()).devices).toMatchObject([
      { name: 'till-3', cloud_zone: 'eu-1b' },
    ])
  })

  it('a new name is that of the machine that decoys show with story, and once', async () => {
    const node_id = await registeredBird(rookery, { name: 'old' })
    const hostName = async () =>
      (await rookery.api.birdQueries.info({ node_id, settings: true })).device.settings?.['device.host_name']
    await rookery.api.birdOperations.describe({ node_id, name: 'till-3' })
    expect(await hostName()).toBe('')
    await rookery.api.birdOperations.describe({ node_id, name: 'till-4', story: true })
    expect(await hostName()).toBe('till-4')
    await rookery.api.birdOperations.describe({ node_id, name: 'Till of the third floor' })
    expect(await hostName()).toBe('till-4')
    for (const name of ['Till of the third floor', undefined]) {
      const asked = await rookery.post('/device/describe', {
        node_id,
        story: 'true',
        note: 'x',
        ...(name && { name }),
      })
      expect([asked.status, asked.json['details']]).toEqual([
        400,
        { name: expect.stringMatching(/must be a host name .* with story=true/) as string },
      ])
    }
  })

  it('refuses a name that is none, nothing at all, and a Bird that is not registered', async () => {
    const node_id = await registeredBird(rookery)
    for (const params of [{}, { name: ' ' }, { name: 'two\nlines' }, { name: 'x'.repeat(256) }]) {
      expect((await rookery.post('/device/describe', { node_id, ...params })).status).toBe(400)
    }
    expect((await rookery.post('/device/describe', { node_id: 'none', name: 'x' })).status).toBe(404)
    const pending = await pendingBird(rookery)
    expect((await rookery.post('/device/describe', { node_id: pending, name: 'x' })).status).toBe(409)
  })
})
