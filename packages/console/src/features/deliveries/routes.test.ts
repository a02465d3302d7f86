import { describe, expect, it } from 'vitest'
import { addReceiver, raiseIncident, FLOCK, loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { accept, openReceiver, refuse } from '../../../test/receiver.ts'

interface Logged {
  readonly delivery_id: number
  readonly message_id: string
  readonly replay_of: number
  readonly webhook_id: string
  readonly url_host: string
  readonly subject: string
  readonly incident: string
  readonly state: string
  readonly attempt: number
  readonly status: number
  readonly reason: string
  readonly next_attempt: string
}

const open = (engine: (typeof engines)[number]): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound() } })

async function log(house: TestConsole, params: Record<string, string | number> = {}) {
  await house.console.alerts.idle()
  const { json } = await house.get('/deliveries/list', params)
  const { deliveries, cursor } = json as unknown as {
    deliveries: Logged[]
    cursor: { next: string | null }
  }
  return { deliveries, next: cursor.next }
}

const SINCE = '2020-01-01-00:00:00'

describe.each(engines)('the log of deliveries (%s)', (engine) => {
  it('says what was sent where, what became of it and when it is tried next', async () => {
    const house = await open(engine)
    const [good, bad] = [await openReceiver(), await openReceiver(refuse(503))]
    const { webhook_id: goodId } = await addReceiver(house, good.url)
    const { webhook_id: badId } = await addReceiver(house, bad.url)
    await raiseIncident(house)
    const [incident] = (await house.get('/incidents/all')).json['incidents'] as unknown as { id: string }[]
    const { deliveries } = await log(house)
    expect(deliveries.map(({ webhook_id, state }) => [webhook_id, state])).toEqual(
      expect.arrayContaining([
        [goodId, 'delivered'],
        [badId, 'waiting'],
      ]),
    )
    const [waiting] = (await log(house, { state: 'waiting' })).deliveries
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
    expect((await log(house, { webhook_id: goodId })).deliveries).toHaveLength(1)
    expect((await log(house, { flock_id: 'flock:none' })).deliveries).toEqual([])
    expect((await log(house, { since: '2126-01-01-00:00:00' })).deliveries).toEqual([])
    expect((await log(house, { since: SINCE })).deliveries).toHaveLength(2)
  })

  it('is paged by a cursor that carries its filters and cannot be forged', async () => {
    const house = await open(engine)
    const receiver = await openReceiver()
    const { webhook_id } = await addReceiver(house, receiver.url)
    await addReceiver(house, `${receiver.url}/other`)
    for (let i = 0; i < 5; i++) await raiseIncident(house)
    const all = (await log(house, { webhook_id })).deliveries
    expect(all).toHaveLength(5)
    const pages: Logged[][] = []
    for (let page = await log(house, { webhook_id, limit: 2 }); ;) {
      pages.push(page.deliveries)
      if (page.next === null) break
      page = await log(house, { cursor: page.next })
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(all)
    expect((await house.get('/deliveries/list', { cursor: 'e30.AAAA' })).status).toBe(400)
  })

  it('lets one message be sent again, under its id', async () => {
    const house = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(house, receiver.url)
    const source = await raiseIncident(house)
    const [first] = (await log(house)).deliveries
    const { json } = await house.post('/delivery/replay', { delivery_id: first?.delivery_id ?? 0 })
    const [once, twice] = await receiver.tries(2)
    expect(twice?.id).toBe(once?.id)
    expect(twice?.json['SourceIP']).toBe(source)
    const [newest] = (await log(house)).deliveries
    expect(newest).toMatchObject({
      delivery_id: json['delivery_id'],
      replay_of: first?.delivery_id,
      message_id: first?.message_id,
      state: 'delivered',
    })
  })

  it('tries at once what waits, when that is what is asked for', async () => {
    const house = await open(engine)
    const receiver = await openReceiver(refuse(500))
    await addReceiver(house, receiver.url)
    await raiseIncident(house)
    const [waiting] = (await log(house)).deliveries
    receiver.behave(accept)
    const id = waiting?.delivery_id ?? 0
    expect((await house.post('/delivery/replay', { delivery_id: id })).json).toMatchObject({
      delivery_id: id,
    })
    await receiver.tries(2)
    expect((await log(house)).deliveries).toMatchObject([{ state: 'delivered', attempt: 2 }])
  })

  it('lets everything that a receiver missed be sent again, once and in order', async () => {
    const house = await open(engine)
    const receiver = await openReceiver(refuse(410))
    const { webhook_id } = await addReceiver(house, receiver.url)
    const missed = [await raiseIncident(house)]
    const [lost] = (await log(house)).deliveries
    expect(lost).toMatchObject({ state: 'failed' })
    const replayAll = (more: Record<string, string> = {}) =>
      house.post('/deliveries/replay', { webhook_id, since: SINCE, ...more })
    const off = await replayAll()
    expect([off.status, off.json['message']]).toEqual([
      409,
      'The webhook was switched off: It answered 410: it wants no message any more. Adding it again switches it on.',
    ])
    receiver.behave(accept)
    await addReceiver(house, receiver.url)
    missed.push(await raiseIncident(house))
    await receiver.tries(2)
    await house.console.alerts.idle()
    expect((await replayAll()).json).toMatchObject({ replayed: 1, more: false })
    expect((await receiver.tries(3)).at(-1)).toMatchObject({ id: lost?.message_id })
    await house.console.alerts.idle()
    expect((await replayAll()).json).toMatchObject({ replayed: 0 })
    expect((await replayAll({ state: 'delivered' })).json).toMatchObject({ replayed: 2 })
    const sent = (await receiver.tries(5)).slice(3).map(({ json }) => json['SourceIP'])
    expect(sent).toEqual([missed[1], missed[0]])
  })

  it('sends nothing again that cannot be sent, and says why', async () => {
    const house = await open(engine)
    const receiver = await openReceiver()
    const { webhook_id } = await addReceiver(house, receiver.url)
    await raiseIncident(house)
    const [row] = (await log(house)).deliveries
    const one = { delivery_id: row?.delivery_id ?? 0 }
    const refusal = async (path: string, params: Record<string, string | number>) => {
      const { status, json } = await house.post(path, params)
      return [status, json['message']]
    }
    await house.post('/settings/webhooks/disable')
    expect(await refusal('/delivery/replay', one)).toEqual([409, 'Alerts of the Flock are off.'])
    expect(await refusal('/deliveries/replay', { webhook_id, since: SINCE })).toEqual([
      409,
      'Alerts of the Flock are off.',
    ])
    await house.post('/settings/webhooks/enable')
    expect(await refusal('/delivery/replay', { delivery_id: 999_999 })).toEqual([
      404,
      'Delivery does not exist.',
    ])
    expect(await refusal('/deliveries/replay', { webhook_id: 'none', since: SINCE })).toEqual([
      404,
      'Webhook does not exist.',
    ])
    expect((await house.post('/deliveries/replay', { webhook_id, since: 'yesterday' })).status).toBe(400)
    await house.post('/flock/settings/webhooks/generic/remove', { flock_id: FLOCK, url: receiver.url })
    expect(await refusal('/delivery/replay', one)).toEqual([
      409,
      'The webhook of this delivery is not there any more.',
    ])
    expect(receiver.alerts).toHaveLength(1)
  })

  it('silences Flocks that follow the console while its switch is off', async () => {
    const house = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(house, receiver.url)
    await house.post('/settings/webhooks/disable')
    const enabled = async () =>
      (await house.get('/flock/settings/webhooks/is_enabled', { flock_id: FLOCK })).json['is_enabled']
    expect(await enabled()).toBe(false)
    await raiseIncident(house)
    await house.post('/flock/settings/webhooks/enable', { flock_id: FLOCK })
    const sent = [await raiseIncident(house)]
    await receiver.tries(1)
    await house.post('/flock/settings/webhooks/use_global', { flock_id: FLOCK })
    await raiseIncident(house)
    await house.post('/settings/webhooks/enable')
    sent.push(await raiseIncident(house))
    await log(house)
    // Changed settings are incidents of their own.
    const logins = receiver.alerts.filter(({ json }) => json['LogType'] === '4002')
    expect(logins.map(({ json }) => json['SourceIP'])).toEqual(sent)
  })
})
