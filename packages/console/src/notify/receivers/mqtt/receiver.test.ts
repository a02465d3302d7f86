import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../../test/birds.ts'
import { makeAuthority } from '../../../../test/certificates.ts'
import { openMqttBroker, type MqttBroker } from '../../../../test/mqtt-broker.ts'
import { FLOCK, loopbackOutbound, raiseIncident } from '../../../../test/raise-incident.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { parseRanges } from '../../../addresses/ranges.ts'
import { openOutboundStream } from '../../../world/outbound-stream.ts'
import { systemClock, systemResolver } from '../../../world/system.ts'

const path = '/flock/settings/webhooks/mqtt'
const flock_id = FLOCK
const FLOCK_TOPIC = 'rookery/flock/flock:default'

const world = (authorities: readonly string[] = []) => ({
  outbound: loopbackOutbound(),
  outboundStream: openOutboundStream(
    parseRanges('127.0.0.0/8', 'allow'),
    systemResolver,
    systemClock,
    authorities,
  ),
})

const open = (engine: (typeof engines)[number], authorities?: readonly string[]): Promise<TestConsole> =>
  openTestConsole({ engine, world: world(authorities), alerting: { timeoutMs: 5_000 } })

const at = ({ port }: MqttBroker) => ({ flock_id, url: `mqtt://127.0.0.1:${port}` })

const add = async (rookery: TestConsole, params: Record<string, string>): Promise<string> => {
  const { status, text, json } = await rookery.post(`${path}/add`, params)
  expect(status, text).toBe(200)
  return String(json['webhook_id'])
}

const alertsAt = (broker: MqttBroker) =>
  broker.published
    .filter(({ topic }) => topic.endsWith('/alert'))
    .map((it) => ({ ...it, json: JSON.parse(it.payload) as Record<string, unknown> }))

const stateAt = ({ retained }: MqttBroker, topic: string): Record<string, unknown> =>
  JSON.parse(retained.get(topic) ?? '{}') as Record<string, unknown>

const statusIs = (broker: MqttBroker, status: string): Promise<true> =>
  broker.until(({ retained }) => retained.get('rookery/status') === status || undefined)

describe.each(engines)('a broker of MQTT (%s)', (engine) => {
  it('takes each alert as a message of the Flock, without passwords, and the log shows what it was sent', async () => {
    const rookery = await open(engine)
    const broker = await openMqttBroker({ user: 'house', password: 'correct horse' })
    const given = { ...at(broker), user: 'house', password: 'correct horse' }
    expect((await rookery.post(`${path}/test`, given)).json).toEqual({ result: 'success' })
    await add(rookery, given)
    const source = await raiseIncident(rookery, { fields: { NOTE: 'a"},\n{{ states }} \u202e#/+' } })
    await broker.until(() => alertsAt(broker)[1])
    const [test, alert] = alertsAt(broker)
    expect([test?.topic, test?.json['event_type']]).toEqual([`${FLOCK_TOPIC}/alert`, 'test'])
    expect(alert).toMatchObject({
      topic: `${FLOCK_TOPIC}/alert`,
      retain: false,
      json: { event_type: 'incident', level: 'tried', SourceIP: source, FlockID: FLOCK },
    })
    expect(alert?.payload).toContain('{{ states }}')
    expect(alert?.payload).not.toMatch(/toor|[\n\u202e]/)
    await rookery.console.dispatcher.idle()
    const [delivery] = (await rookery.api.deliveries.list()).deliveries
    expect(delivery?.state).toBe('delivered')
    const { message } = await rookery.api.deliveries.fetch({ delivery_id: String(delivery?.delivery_id) })
    expect(message).toMatchObject({ method: 'PUBLISH', body: alert?.payload })
    expect((await rookery.get(`${path}/list`, { flock_id })).json['mqtt']).toMatchObject([
      { url: given.url, user: 'house', prefix: 'rookery' },
    ])
    expect((await rookery.get(`${path}/list`, { flock_id })).text).not.toContain('horse')
    expect(broker.malformed).toEqual([])
  })

  it('keeps the states of Flock and Birds as they are, and nothing of what is gone', async () => {
    const rookery = await open(engine)
    const broker = await openMqttBroker()
    const [first, second] = [
      await registeredBird(rookery, { name: 'nas "02"\u202e', live: 1 }),
      await registeredBird(rookery, { live: 0 }),
    ]
    const webhook_id = await add(rookery, at(broker))
    await statusIs(broker, 'online')
    expect(stateAt(broker, FLOCK_TOPIC)).toMatchObject({ id: FLOCK, birds: 2, live_birds: 1 })
    expect(stateAt(broker, `rookery/bird/${first}`)).toMatchObject({ name: 'nas "02"\ufffd', live: true })
    expect(stateAt(broker, `rookery/bird/${second}`)).toMatchObject({ live: false })
    expect(stateAt(broker, `homeassistant/binary_sensor/rookery_${first}/live/config`)).toMatchObject({
      unique_id: `rookery_${first}_live`,
      state_topic: `rookery/bird/${first}`,
      availability_topic: 'rookery/status',
      device: { identifiers: [`rookery_${first}`], via_device: 'rookery_flock_default' },
    })

    await raiseIncident(rookery, { nodeId: first })
    const openAt = (topic: string): unknown => stateAt(broker, topic)['unacknowledged_incidents']
    await broker.until(
      () => (openAt(`rookery/bird/${first}`) === 1 && openAt(FLOCK_TOPIC) === 1) || undefined,
    )
    await rookery.post('/incidents/acknowledge', { flock_id })
    await broker.until(
      () => (openAt(`rookery/bird/${first}`) === 0 && openAt(FLOCK_TOPIC) === 0) || undefined,
    )

    expect(
      (await rookery.post('/device/decommission', { node_id: second, skip_poweroff: true })).status,
    ).toBe(200)
    await broker.until(() => ![...broker.retained.keys()].some((it) => it.includes(second)) || undefined)
    expect(broker.retained.has(`rookery/bird/${first}`)).toBe(true)
    await rookery.post('/flock/settings/webhooks/disable', { flock_id })
    await statusIs(broker, 'offline')
    await rookery.post('/flock/settings/webhooks/enable', { flock_id })
    await statusIs(broker, 'online')
    await rookery.post(`${path}/remove`, { flock_id, webhook_id })
    await broker.until(({ retained }) => retained.size === 0 || undefined)
    expect(broker.malformed).toEqual([])
  })

  it('says offline of a console that is gone, with a word or without, and online when it is back', async () => {
    const rookery = await open(engine)
    const broker = await openMqttBroker()
    await add(rookery, at(broker))
    await statusIs(broker, 'online')
    const before = broker.published.length
    broker.cut()
    await broker.until(({ published }) => {
      const statuses = published.slice(before).filter(({ topic }) => topic === 'rookery/status')
      return statuses.map(({ payload }) => payload).join() === 'offline,online' || undefined
    })
    await rookery.restart()
    await statusIs(broker, 'online')
    await rookery.console.stop()
    expect(broker.retained.get('rookery/status')).toBe('offline')
    expect(broker.goodbyes).toHaveLength(2)
    expect(broker.clients.size).toBe(0)
  })

  it('that several Flocks name is online as long as one of them does', async () => {
    const rookery = await open(engine)
    const broker = await openMqttBroker()
    const { flock_id: other } = await rookery.api.flocks.create({ name: 'Second' })
    await add(rookery, at(broker))
    await add(rookery, { ...at(broker), flock_id: other })
    await broker.until(({ retained }) => retained.has(`rookery/flock/${other}`) || undefined)
    expect(broker.clients.size).toBe(1)
    await rookery.post('/flock/delete', { flock_id: other })
    await broker.until(({ retained }) => !retained.has(`rookery/flock/${other}`) || undefined)
    expect([...broker.retained.keys()].some((it) => it.includes('default'))).toBe(true)
    expect(broker.retained.get('rookery/status')).toBe('online')
  })

  it('is reached over TLS by the authorities that the operator named', async () => {
    const authority = makeAuthority()
    const broker = await openMqttBroker({ tls: { key: authority.key, cert: authority.cert } })
    const given = { flock_id, url: `mqtts://127.0.0.1:${broker.port}` }
    const rookery = await open(engine, [authority.ca])
    expect((await rookery.post(`${path}/test`, given)).json).toEqual({ result: 'success' })
    const stranger = await open(engine)
    expect((await stranger.post(`${path}/test`, given)).json['message']).toMatch(/No known authority/)
  })

  it('that does not take a message has its reason, which says what to do', async () => {
    const rookery = await open(engine)
    const broker = await openMqttBroker({ user: 'house', password: 'secret-word' })
    const given = { ...at(broker), user: 'house', password: 'secret-word' }
    const said = async (more: object = {}): Promise<unknown> => {
      const { status, json } = await rookery.post(`${path}/test`, { ...given, ...more })
      expect(status).toBe(400)
      expect(String(json['message'])).not.toContain('secret-word')
      return json['message']
    }
    expect(await said({ password: 'other' })).toMatch(/CONNACK 4.*add it again with the right user/)
    const reasons: [Parameters<MqttBroker['behave']>[0], RegExp][] = [
      [1, /CONNACK 1.*MQTT 3\.1\.1/],
      [2, /CONNACK 2.*id of the client/],
      [3, /CONNACK 3.*log of the broker/],
      [5, /CONNACK 5.*not authorised; check user and password/],
      [77, /CONNACK 77.*log of the broker/],
      ['closes', /before it had acknowledged.*may publish below rookery\//],
      ['is a web server', /no broker of MQTT 3\.1\.1: check host and port/],
    ]
    for (const [way, reason] of reasons) {
      broker.behave(way)
      expect(await said()).toMatch(reason)
    }
    const tls = await said({ url: given.url.replace('mqtt:', 'mqtts:') })
    expect(tls).toMatch(/The test was not delivered: ./)
  })

  it('that cannot be is refused, by the parameter', async () => {
    const rookery = await open(engine)
    const url = 'mqtt://broker.example.com'
    const wrong: [Record<string, string>, string, RegExp][] = [
      [{ url: 'broker.example.com' }, 'url', /must be a URL, such as mqtts:/],
      [{ url: 'https://broker.example.com' }, 'url', /must begin with mqtts:\/\/ .* or mqtt:\/\//],
      [{ url: 'mqtt://a:b@broker.example.com' }, 'url', /give user and password/],
      [{ url: 'mqtt://broker.example.com/rookery' }, 'url', /prefix says where topics begin/],
      [{ url: 'mqtt://%00' }, 'url', /name the host/],
      [{ url: 'mqtt:broker' }, 'url', /name the host|without a path/],
      [{ url: 'mqtt://10.0.0.1' }, 'url', /not a public address/],
      [{ url: 'mqtts://[::1]:8883' }, 'url', /not a public address/],
      [{ url, password: 'a' }, 'user', /required with password/],
      [{ url, prefix: 'a/#' }, 'prefix', /without # and \+.*such as rookery/],
      [{ url, prefix: '+/a' }, 'prefix', /without # and \+/],
      [{ url, prefix: '$SYS' }, 'prefix', /not begin with \$/],
      [{ url, prefix: 'a\nb' }, 'prefix', /control characters/],
      [{ url, prefix: '/a' }, 'prefix', /single \/ between/],
    ]
    for (const [params, field, reason] of wrong) {
      const { status, json } = await rookery.post(`${path}/add`, { flock_id, ...params })
      expect([params, status]).toEqual([params, 400])
      expect(String((json['details'] as unknown as Record<string, string>)[field])).toMatch(reason)
    }
    expect((await rookery.post(`${path}/add`, { flock_id, url, prefix: 'a\0b' })).status).toBe(400)
    await add(rookery, { flock_id, url: 'MQTT://Bücher.example.com/' })
    expect((await rookery.get(`${path}/list`, { flock_id })).json['mqtt']).toMatchObject([
      { url: 'mqtt://xn--bcher-kva.example.com:1883' },
    ])
    expect(
      (await rookery.post(`${path}/add`, { flock_id, url: 'mqtt://xn--bcher-kva.example.com' })).status,
    ).toBe(409)
  })
})

it('of two consoles on one database one keeps the connection, and the other takes it over', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: '5'.repeat(64) }
  const both = [
    await openTestConsole({ env, world: world(), parts: ['api'] }),
    await openTestConsole({ env, world: world(), parts: ['api'] }),
  ] as const
  const broker = await openMqttBroker()
  await add(both[0], at(broker))
  await statusIs(broker, 'online')
  expect(broker.clients.size).toBe(1)
  await both[0].console.stop()
  await statusIs(broker, 'offline')
  await statusIs(broker, 'online')
  expect([...broker.clients]).toHaveLength(1)
  expect(broker.malformed).toEqual([])
})
