import { describe, expect, it } from 'vitest'
import { addReceiver, raiseIncident, FLOCK, loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { accept, openReceiver, refuse } from '../../../test/receiver.ts'

const open = (engine: (typeof engines)[number]): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound() } })

async function log(rookery: TestConsole, params: Record<string, string | number> = {}) {
  await rookery.console.dispatcher.idle()
  const { deliveries, cursor } = await rookery.api.deliveries.list(params)
  return { deliveries, next: cursor.next }
}

const SINCE = '2020-01-01-00:00:00'

describe.each(engines)('the log of deliveries (%s)', (engine) => {
  it('says what was sent where, what became of it and when it is tried next', async () => {
    const rookery = await open(engine)
    const [good, bad] = [await openReceiver(), await openReceiver(refuse(503))]
    const { webhook_id: goodId } = await addReceiver(rookery, good.url)
    const { webhook_id: badId } = await addReceiver(rookery, bad.url)
    await raiseIncident(rookery)
    const [incident] = (await rookery.api.incidentQueries.all()).incidents
    const { deliveries } = await log(rookery)
    expect(deliveries.map(({ webhook_id, state }) => [webhook_id, state])).toEqual(
      expect.arrayContaining([
        [goodId, 'delivered'],
        [badId, 'waiting'],
      ]),
    )
    const [waiting] = (await log(rookery, { state: 'waiting' })).deliveries
    expect(waiting).toMatchObject({
      webhook_id: badId,
      url_host: new URL(bad.url).host,
      incident: incident?.id,
      subject: 'incident',
      attempt: 1,
      status: 503,
      reason: 'It answered 503; success is 200 to 299.',
      next_attempt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+0000$/) as string,
    })
    expect((await log(rookery, { webhook_id: goodId })).deliveries).toHaveLength(1)
    expect((await log(rookery, { flock_id: 'flock:none' })).deliveries).toEqual([])
    expect((await log(rookery, { since: '2126-01-01-00:00:00' })).deliveries).toEqual([])
    expect((await log(rookery, { since: SINCE })).deliveries).toHaveLength(2)
  })

  it('shows what its receiver is sent, without its secrets, as long as both are there', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    const own = { Authorization: 'Bearer of the night watch' }
    const { secret } = await addReceiver(rookery, receiver.url, { headers: JSON.stringify(own) })
    const source = await raiseIncident(rookery)
    const [alert] = await receiver.tries(1)
    const { deliveries } = await log(rookery)
    const delivery_id = String(deliveries[0]?.delivery_id)
    const { delivery, message } = await rookery.api.deliveries.fetch({ delivery_id })
    expect(delivery).toMatchObject({ state: 'delivered', status: 204 })
    expect(message).toMatchObject({
      method: 'POST',
      headers: { 'webhook-id': alert?.id, Authorization: '…' },
    })
    expect(JSON.parse(message?.body ?? '')).toEqual(alert?.json)
    expect(message?.body).toContain(source)
    expect(JSON.stringify(message)).not.toContain(secret)
    expect(receiver.alerts).toHaveLength(1)
    expect((await rookery.get('/delivery/fetch', { delivery_id: '99999' })).status).toBe(404)
    await rookery.api.flockWebhooks.removeGeneric({ flock_id: FLOCK, url: receiver.url })
    expect((await rookery.api.deliveries.fetch({ delivery_id })).message).toBeNull()
  })

  it('keeps the kind and host of a receiver that was removed', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery)
    await receiver.tries(1)
    await rookery.api.flockWebhooks.removeGeneric({ flock_id: FLOCK, url: receiver.url })
    expect((await log(rookery)).deliveries).toMatchObject([
      { webhook_kind: 'generic', url_host: new URL(receiver.url).host },
    ])
  })

  it('keeps the kind and host of receivers that went with their Flock, for which nothing waits any more', async () => {
    const rookery = await open(engine)
    const [good, bad] = [await openReceiver(), await openReceiver(refuse(503))]
    const { flock_id: flockId } = await rookery.api.flocks.create({ name: 'Lab' })
    await rookery.api.flockWebhooks.enable({ flock_id: flockId })
    await addReceiver(rookery, good.url, { flock_id: flockId })
    await addReceiver(rookery, bad.url, { flock_id: flockId })
    await raiseIncident(rookery, { flockId })
    await good.tries(1)
    await bad.tries(1)
    await rookery.console.dispatcher.idle()
    await rookery.api.flocks.remove({ flock_id: flockId })
    await rookery.restart()
    const { deliveries } = await log(rookery)
    expect(
      deliveries.map(({ webhook_kind, url_host, state }) => [webhook_kind, url_host, state]).sort(),
    ).toEqual(
      [
        ['generic', new URL(good.url).host, 'delivered'],
        ['generic', new URL(bad.url).host, 'dropped'],
      ].sort(),
    )
  })

  it('is paged by a cursor that carries its filters and cannot be forged', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    const { webhook_id } = await addReceiver(rookery, receiver.url)
    await addReceiver(rookery, `${receiver.url}/other`)
    for (let i = 0; i < 5; i++) await raiseIncident(rookery)
    const all = (await log(rookery, { webhook_id })).deliveries
    expect(all).toHaveLength(5)
    const pages: Awaited<ReturnType<typeof log>>['deliveries'][] = []
    for (let page = await log(rookery, { webhook_id, limit: 2 }); ;) {
      pages.push(page.deliveries)
      if (page.next === null) break
      page = await log(rookery, { cursor: page.next })
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(all)
    expect((await rookery.get('/deliveries/list', { cursor: 'e30.AAAA' })).status).toBe(400)
  })

  it('lets one message be sent again, under its id', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    const source = await raiseIncident(rookery)
    const [first] = (await log(rookery)).deliveries
    const answer = await rookery.api.deliveries.replayOne({ delivery_id: String(first?.delivery_id) })
    const [once, twice] = await receiver.tries(2)
    expect(twice?.id).toBe(once?.id)
    expect(twice?.json['SourceIP']).toBe(source)
    const [newest] = (await log(rookery)).deliveries
    expect(newest).toMatchObject({
      delivery_id: answer.delivery_id,
      replay_of: first?.delivery_id,
      message_id: first?.message_id,
      state: 'delivered',
    })
  })

  it('tries at once what waits, when that is what is asked for', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver(refuse(500))
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery)
    const [waiting] = (await log(rookery)).deliveries
    receiver.behave(accept)
    const id = waiting?.delivery_id ?? 0
    expect(await rookery.api.deliveries.replayOne({ delivery_id: String(id) })).toMatchObject({
      delivery_id: id,
    })
    await receiver.tries(2)
    expect((await log(rookery)).deliveries).toMatchObject([{ state: 'delivered', attempt: 2 }])
  })

  it('lets everything that a receiver missed be sent again, once and in order', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver(refuse(410))
    const { webhook_id } = await addReceiver(rookery, receiver.url)
    const missed = [await raiseIncident(rookery)]
    const [lost] = (await log(rookery)).deliveries
    expect(lost).toMatchObject({ state: 'failed' })
    const replayAll = (more: Record<string, string> = {}) =>
      rookery.post('/deliveries/replay', { webhook_id, since: SINCE, ...more })
    const off = await replayAll()
    expect([off.status, off.json['message']]).toEqual([
      409,
      'The webhook was switched off: It answered 410: it wants no message any more. Adding it again switches it on.',
    ])
    receiver.behave(accept)
    await addReceiver(rookery, receiver.url)
    missed.push(await raiseIncident(rookery))
    await receiver.tries(2)
    await rookery.console.dispatcher.idle()
    expect((await replayAll()).json).toMatchObject({ replayed: 1, more: false })
    expect((await receiver.tries(3)).at(-1)).toMatchObject({ id: lost?.message_id })
    await rookery.console.dispatcher.idle()
    expect((await replayAll()).json).toMatchObject({ replayed: 0 })
    expect((await replayAll({ state: 'delivered' })).json).toMatchObject({ replayed: 2 })
    const sent = (await receiver.tries(5)).slice(3).map(({ json }) => json['SourceIP'])
    expect(sent).toEqual([missed[1], missed[0]])
  })

  it('sends nothing again that cannot be sent, and says why', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    const { webhook_id } = await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery)
    const [row] = (await log(rookery)).deliveries
    const one = { delivery_id: row?.delivery_id ?? 0 }
    const refusal = async (path: string, params: Record<string, string | number>) => {
      const { status, json } = await rookery.post(path, params)
      return [status, json['message']]
    }
    await rookery.api.webhookSwitch.disable()
    expect(await refusal('/delivery/replay', one)).toEqual([409, 'Alerts of the Flock are off.'])
    expect(await refusal('/deliveries/replay', { webhook_id, since: SINCE })).toEqual([
      409,
      'Alerts of the Flock are off.',
    ])
    await rookery.api.webhookSwitch.enable()
    expect(await refusal('/delivery/replay', { delivery_id: 999_999 })).toEqual([
      404,
      'Delivery does not exist.',
    ])
    expect(await refusal('/deliveries/replay', { webhook_id: 'none', since: SINCE })).toEqual([
      404,
      'Webhook does not exist.',
    ])
    expect((await rookery.post('/deliveries/replay', { webhook_id, since: 'yesterday' })).status).toBe(400)
    await rookery.api.flockWebhooks.removeGeneric({ flock_id: FLOCK, url: receiver.url })
    expect(await refusal('/delivery/replay', one)).toEqual([
      409,
      'The webhook of this delivery is not there any more.',
    ])
    expect(receiver.alerts).toHaveLength(1)
  })

  it('silences Flocks that follow the console while its switch is off', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await rookery.api.webhookSwitch.disable()
    const enabled = async () => (await rookery.api.flockWebhooks.isEnabled({ flock_id: FLOCK })).is_enabled
    expect(await enabled()).toBe(false)
    await raiseIncident(rookery)
    await rookery.api.flockWebhooks.enable({ flock_id: FLOCK })
    const sent = [await raiseIncident(rookery)]
    await receiver.tries(1)
    await rookery.api.flockWebhooks.useGlobal({ flock_id: FLOCK })
    await raiseIncident(rookery)
    await rookery.api.webhookSwitch.enable()
    sent.push(await raiseIncident(rookery))
    await log(rookery)
    // Changed settings are incidents of their own.
    const logins = receiver.alerts.filter(({ json }) => json['LogType'] === '4002')
    expect(logins.map(({ json }) => json['SourceIP'])).toEqual(sent)
  })
})
