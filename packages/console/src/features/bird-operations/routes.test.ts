import { describe, expect, it } from 'vitest'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { addReceiver, loopbackOutbound } from '../../../test/raise-incident.ts'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type Answer, type TestConsole } from '../../../test/test-console.ts'
import { connectBird, hello, newKey, SPOOL } from '../../../test/link-bird.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { sshLogin } from '../../../test/touches.ts'

const deviceIn = ({ json }: Answer) => (json as unknown as { device: Record<string, unknown> }).device
const info = async (house: TestConsole, node_id: string) =>
  deviceIn(await house.get('/device/info', { node_id, settings: true }))
const reboot = (house: TestConsole, node_id: string): Promise<Answer> =>
  house.post('/device/reboot', { node_id })

/** A Bird with a link, commissioned by an enrolment code. */
async function online(house: TestConsole) {
  const key = newKey()
  const { secret } = parseEnrolment(await house.console.enrolLocalBird())
  const bird = await connectBird(house.console.linkUrl, { key })
  bird.send(hello({ enrol: secret }))
  const { nodeId } = await bird.receives('COMMISSIONED')
  return { key, bird, nodeId }
}

describe.each(engines)('reboots (%s)', (engine) => {
  it('a Bird that has its link is sent the command at once, and once for several requests', async () => {
    const house = await openTestConsole({ engine })
    const { bird, nodeId } = await online(house)
    expect((await reboot(house, nodeId)).json).toEqual({ result: 'success' })
    const command = await bird.receives('CMD')
    expect(command.kind).toBe('reboot')
    await reboot(house, nodeId)
    bird.send({ kind: 'CMD_RESULT', body: { id: command.id, ok: true, detail: 'rebooting' } })
    // Once it has answered, the next request is a new command.
    await expect
      .poll(async () => {
        await reboot(house, nodeId)
        return bird.received.filter(({ kind }) => kind === 'CMD').length
      })
      .toBe(2)
    expect((await bird.receives('CMD', 2)).id).not.toBe(command.id)
  })

  it('a Bird that is offline is sent the command when it comes back, also after a restart of the console', async () => {
    const house = await openTestConsole({ engine })
    const { key, bird, nodeId } = await online(house)
    await bird.close()
    expect((await reboot(house, nodeId)).status).toBe(200)
    await house.restart()
    const again = await connectBird(house.console.linkUrl, { key })
    again.send(hello({ nodeId }))
    expect((await again.receives('CMD')).kind).toBe('reboot')
  })

  it('nobody else can be rebooted', async () => {
    const house = await openTestConsole({ engine })
    expect((await reboot(house, 'ffffffffffffffff')).status).toBe(404)
    expect((await reboot(house, await pendingBird(house))).status).toBe(409)
    const gone = await registeredBird(house)
    await house.post('/device/decommission', { node_id: gone })
    const answer = await reboot(house, gone)
    expect([answer.status, answer.json['message']]).toEqual([404, 'Bird not found'])
  })
})

describe.each(engines)('muted Birds (%s)', (engine) => {
  it('raise incidents without alerts until they are unmuted', async () => {
    const house = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const receiver = await openReceiver()
    await addReceiver(house, receiver.url)
    const [muted, loud] = [await registeredBird(house), await registeredBird(house)]
    const mute = (on: boolean): Promise<Answer> =>
      house.post('/device/notifications', { node_id: muted, ignore_notifications_general: on })
    const touch = (nodeId: string, seq: number, srcHost: string): Promise<unknown> => {
      return house.console.ingest.fromBird({
        nodeId,
        spoolId: SPOOL,
        receivedAt: Date.now(),
        events: [{ seq, touch: { ...sshLogin().touch, nodeId, srcHost } }],
      })
    }
    expect(deviceIn(await mute(true))['ignore_notifications_general']).toBe('True')
    await touch(muted, 1, '192.0.2.1')
    await touch(loud, 1, '192.0.2.2')
    // Alerts of one receiver keep their order: the first that comes would be the muted one's.
    await receiver.tries(1)
    await mute(false)
    await touch(muted, 2, '192.0.2.3')
    const alerts = await receiver.tries(2)
    expect(alerts.map(({ json }) => json['SourceIP'])).toEqual(['192.0.2.2', '192.0.2.3'])
    const all = (await house.get('/incidents/all')).json['incidents'] as unknown as object[]
    expect(all).toHaveLength(3)
  })

  it('each flag is set by itself, shows everywhere, and stays over a restart', async () => {
    const house = await openTestConsole({ engine })
    const node_id = await registeredBird(house)
    const set = (flag: string, on: boolean): Promise<Answer> =>
      house.post('/device/notifications', { node_id, [`ignore_notifications_${flag}`]: on })
    await set('disconnect', true)
    expect(deviceIn(await set('reconnect', true))).toMatchObject({
      ignore_notifications_general: 'False',
      ignore_notifications_disconnect: 'True',
      ignore_notifications_reconnect: 'True',
    })
    await set('disconnect', false)
    await house.restart()
    expect((await house.get('/devices/all')).json['devices']).toMatchObject([
      {
        ignore_notifications: false,
        ignore_notifications_disconnects: false,
        ignore_notifications_reconnects: true,
      },
    ])
    expect((await house.post('/device/notifications', { node_id })).status).toBe(400)
    expect((await house.post('/device/notifications', { node_id: 'x' })).status).toBe(404)
  })
})

describe.each(engines)('describing a Bird (%s)', (engine) => {
  it('shows in its records, and what is not said stays', async () => {
    const house = await openTestConsole({ engine })
    const node_id = await registeredBird(house, { name: 'old', location: 'Bonn' })
    const said = { note: 'Rack 7\nleft', cloud_project: 'shop', region_id: 'eu-1' }
    const device = deviceIn(await house.post('/device/describe', { node_id, ...said }))
    expect(device).toMatchObject({ name: 'old', location: 'Bonn', note: said.note })
    await house.post('/device/describe', { node_id, location: ' ', description: 'The till' })
    expect((await house.get('/devices/all')).json['devices']).toMatchObject([
      { ...said, name: 'old', location: '', description: 'The till', subnet: '' },
    ])
  })

  it('a new name reaches the Bird with new settings; the cloud fields stay when it comes again', async () => {
    const house = await openTestConsole({ engine })
    const { key, bird, nodeId } = await online(house)
    const { tag } = await bird.receives('SETTINGS_OFFER')
    await house.post('/device/describe', { node_id: nodeId, name: ' till-3 ', cloud_zone: 'eu-1b' })
    const offer = await bird.receives('SETTINGS_OFFER', 2)
    expect(offer.tag).not.toBe(tag)
    expect(await info(house, nodeId)).toMatchObject({
      name: 'till-3',
      current_settings: offer.tag,
      settings: { 'device.name': 'till-3' },
    })
    // The same name again is no news.
    await house.post('/device/describe', { node_id: nodeId, name: 'till-3', note: 'x' })
    expect((await info(house, nodeId))['current_settings']).toBe(offer.tag)
    await bird.close()
    const again = await connectBird(house.console.linkUrl, { key })
    again.send(hello({ nodeId }))
    await again.receives('REGISTERED')
    expect((await house.get('/devices/all')).json['devices']).toMatchObject([
      { name: 'till-3', cloud_zone: 'eu-1b' },
    ])
  })

  it('refuses a name that is none, nothing at all, and a Bird that is not registered', async () => {
    const house = await openTestConsole({ engine })
    const node_id = await registeredBird(house)
    for (const params of [{}, { name: ' ' }, { name: 'two\nlines' }, { name: 'x'.repeat(256) }]) {
      expect((await house.post('/device/describe', { node_id, ...params })).status).toBe(400)
    }
    expect((await house.post('/device/describe', { node_id: 'none', name: 'x' })).status).toBe(404)
    const pending = await pendingBird(house)
    expect((await house.post('/device/describe', { node_id: pending, name: 'x' })).status).toBe(409)
  })
})
