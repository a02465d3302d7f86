import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { raiseIncident, FLOCK, loopbackOutbound } from '../../../../test/raise-incident.ts'
import { openCollector, TOKEN, type Collector } from '../../../../test/collector.ts'
import { ownFolder } from '../../../../test/own-folder.ts'
import { ownTimeMs } from '../../../../test/own-time.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { readCaCertificates } from '../../../world/ca-certificates.ts'

const path = '/flock/settings/webhooks/siem'
const flock_id = FLOCK

const open = (engine: (typeof engines)[number], collector?: Collector): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound(collector ? [collector.ca] : []) } })

const add = (rookery: TestConsole, { port }: Collector, token = TOKEN) =>
  rookery.post(`${path}/add`, { flock_id, host: '127.0.0.1', port: String(port), token })

const log = (rookery: TestConsole) =>
  rookery.console.base.reader.selectFrom('delivery').selectAll().orderBy('delivery_id').execute()

describe.each(engines)('the event collector of a Flock (%s)', (engine) => {
  it('indexes an incident over TLS, authorised by its token', async () => {
    const collector = await openCollector()
    const rookery = await open(engine, collector)
    expect((await add(rookery, collector)).json).toEqual({ result: 'success' })
    const source = await raiseIncident(rookery, { fields: { NOTE: '"}\n{"event":1}\u2028' } })
    const [event] = await collector.indexed(1)
    await rookery.console.dispatcher.idle()
    const [row] = await log(rookery)
    expect(event?.headers).toMatchObject({ authorization: `Splunk ${TOKEN}` })
    expect(event?.json).toMatchObject({
      time: expect.closeTo(Date.now() / 1000, -2) as number,
      host: '127.0.0.1',
      source: 'rookery',
      sourcetype: 'rookery:incident',
      event: {
        AlertType: 'BirdIncident',
        SourceIP: source,
        LogType: '4002',
        MessageID: row?.message_id,
        AdditionalDetails: expect.arrayContaining([['NOTE', '"}\n{"event":1}\ufffd']]) as unknown[],
      },
    })
    expect(row).toMatchObject({ state: 'delivered', status: 200 })
  })

  it('that acknowledges is asked on the message’s channel until it has stored the event', async () => {
    const collector = await openCollector({ acknowledges: true })
    collector.hesitate(2)
    const rookery = await open(engine, collector)
    await add(rookery, collector)
    await raiseIncident(rookery)
    await raiseIncident(rookery)
    await collector.indexed(2)
    await rookery.console.dispatcher.idle()
    expect(collector.questions.map(({ json }) => json['acks'])).toEqual([[0], [0], [0], [1]])
    const channels = [...collector.events, ...collector.questions].map(
      ({ headers }) => headers['x-splunk-request-channel'],
    )
    expect(new Set(channels).size).toBe(1)
    expect((await log(rookery)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  })

  it('that is busy gets the event again, under the same id', async () => {
    const collector = await openCollector()
    const rookery = await open(engine, collector)
    await add(rookery, collector)
    collector.refuseOnce(503, 'Server is busy')
    await raiseIncident(rookery)
    await rookery.console.dispatcher.idle()
    const [row] = await log(rookery)
    expect(row).toMatchObject({ state: 'waiting', status: 503, reason: 'It answered 503: Server is busy.' })
    expect((await rookery.post(`${path}/test`, { flock_id })).status).toBe(200)
    await rookery.console.dispatcher.idle()
    expect(collector.events.map(({ json }) => (json['event'] as { LogType: string }).LogType)).toEqual([
      '111111',
      '4002',
    ])
    expect((collector.events[1]?.json['event'] as { MessageID: string }).MessageID).toBe(row?.message_id)
  })

  it('is tested for real, and the answer says what happened', async () => {
    const collector = await openCollector({ acknowledges: true })
    const rookery = await open(engine, collector)
    const nothing = await rookery.post(`${path}/test`, { flock_id })
    expect([nothing.status, nothing.json['message']]).toEqual([404, 'Webhook does not exist.'])
    await add(rookery, collector, 'wrong-token')
    const wrong = await rookery.post(`${path}/test`, { flock_id })
    expect([wrong.status, wrong.json['message']]).toEqual([
      400,
      'The test was not delivered: It answered 403: Invalid token.',
    ])
    await add(rookery, collector)
    expect((await rookery.post(`${path}/test`, { flock_id })).status).toBe(200)
    expect(collector.events[0]?.json).toMatchObject({ event: { Description: 'Dummy Incident' } })
    expect(collector.questions).toHaveLength(1)
  })

  it('whose certificate no known authority issued gets nothing', async () => {
    const collector = await openCollector()
    const rookery = await open(engine)
    await add(rookery, collector)
    const { status, json } = await rookery.post(`${path}/test`, { flock_id })
    expect([status, json['message']]).toEqual([400, expect.stringMatching(/certificate/) as string])
    expect(collector.events).toEqual([])
  })

  it('that does not acknowledge in time fails the test', async () => {
    const collector = await openCollector({ acknowledges: true })
    collector.hesitate(Infinity)
    const rookery = await openTestConsole({
      engine,
      world: { outbound: loopbackOutbound([collector.ca]) },
      alerting: { timeoutMs: 3_000 },
    })
    await add(rookery, collector)
    expect((await rookery.post(`${path}/test`, { flock_id })).json['message']).toBe(
      'The test was not delivered: It took the message, but did not acknowledge it within 3 s.',
    )
  })

  it('that has not acknowledged when the console stops gets the event again, under the same id', async () => {
    const collector = await openCollector({ acknowledges: true })
    collector.hesitate(Infinity)
    const rookery = await open(engine, collector)
    await add(rookery, collector)
    await raiseIncident(rookery)
    await collector.indexed(1)
    expect(await ownTimeMs(() => rookery.restart())).toBeLessThan(10_000)
    await collector.indexed(2)
    collector.hesitate(0)
    await rookery.console.dispatcher.idle()
    const ids = collector.events.map(({ json }) => (json['event'] as { MessageID: string }).MessageID)
    expect(new Set(ids).size).toBe(1)
    expect(await log(rookery)).toMatchObject([{ state: 'delivered' }])
  })

  it('is shown to admins, there is one, and what waits goes to the one that took its place', async () => {
    const [first, second] = [await openCollector(), await openCollector()]
    const rookery = await openTestConsole({
      engine,
      world: { outbound: loopbackOutbound([first.ca, second.ca]) },
    })
    expect((await rookery.get(path, { flock_id })).json).toMatchObject({
      siem_webhook: {},
      webhooks_enabled: true,
    })
    await add(rookery, first)
    first.refuseOnce(500, 'Internal error')
    await raiseIncident(rookery)
    await rookery.console.dispatcher.idle()
    await add(rookery, second)
    const shown = { host: '127.0.0.1', port: String(second.port), token: TOKEN }
    expect((await rookery.get(path, { flock_id })).json['siem_webhook']).toMatchObject(shown)
    expect(
      (await rookery.get('/flock/settings/webhooks/info', { flock_id })).json['webhook_info'],
    ).toMatchObject({
      siem_webhook: shown,
    })
    expect((await rookery.post(`${path}/test`, { flock_id })).status).toBe(200)
    await rookery.console.dispatcher.idle()
    expect([first.events.length, second.events.length]).toEqual([0, 2])
    const rows = JSON.stringify(await rookery.console.base.reader.selectFrom('webhook').selectAll().execute())
    expect(rows).not.toContain(TOKEN)
    expect((await rookery.post(`${path}/remove`, { flock_id })).status).toBe(200)
    expect((await rookery.post(`${path}/remove`, { flock_id })).status).toBe(404)
    await raiseIncident(rookery)
    await rookery.console.dispatcher.idle()
    expect(second.events).toHaveLength(2)
  })

  it('must be a host, a port and a token', async () => {
    const rookery = await open(engine)
    const good = { flock_id, host: 'collector.example.com', port: '8088', token: 't' }
    const wrong: [object, string][] = [
      [{ host: 'https://collector.example.com' }, 'host'],
      [{ host: 'collector.example.com/x' }, 'host'],
      [{ host: 'user@collector' }, 'host'],
      [{ host: 'a b' }, 'host'],
      [{ host: '999.1.1.1' }, 'host'],
      [{ port: '0' }, 'port'],
      [{ port: '65536' }, 'port'],
      [{ port: 'http' }, 'port'],
      [{ host: '192.168.7.7' }, 'host'],
      [{ token: 'a\r\nX-Evil: 1' }, 'token'],
      [{ token: 'ключ' }, 'token'],
    ]
    for (const [over, field] of wrong) {
      const { status, json } = await rookery.post(`${path}/add`, { ...good, ...over })
      expect([over, status, Object.keys(json['details'] ?? {})]).toEqual([over, 400, [field]])
    }
    for (const host of ['collector.example.com', '2606:4700::7', '[2606:4700::7]', '9.9.9.9'])
      expect([host, (await rookery.post(`${path}/add`, { ...good, host })).status]).toEqual([host, 200])
  })
})

describe('authorities of one’s own', () => {
  it('are read from a file, and a file without any stops the start', async () => {
    const folder = ownFolder()
    const { ca } = await openCollector()
    const file = join(folder, 'ca.pem')
    writeFileSync(file, `# two of them\n${ca}${ca}`)
    expect(readCaCertificates(file)).toHaveLength(2)
    expect(readCaCertificates('')).toEqual([])
    writeFileSync(file, 'nothing')
    expect(() => readCaCertificates(file)).toThrow(/ca\.pem holds no certificate in PEM/)
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    expect(() => readCaCertificates(file)).toThrow(/ROOKERY_OUTBOUND_CA/)
    expect(() => readCaCertificates(join(folder, 'none'))).toThrow(/ENOENT/)
  })
})
