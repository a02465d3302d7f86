import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { manualClock } from '../../../test/manual-clock.ts'
import { addReceiver, raiseIncident, FLOCK, loopbackOutbound } from '../../../test/raise-incident.ts'
import {
  engines,
  openTestConsole,
  type TestConsole,
  type TestConsoleOptions,
} from '../../../test/test-console.ts'
import { accept, hang, openReceiver, refuse, type Alert } from '../../../test/receiver.ts'

const open = (
  engine: (typeof engines)[number],
  more: Partial<TestConsoleOptions> = {},
): Promise<TestConsole> => openTestConsole({ engine, world: { outbound: loopbackOutbound() }, ...more })

const sources = (alerts: readonly Alert[]): unknown[] => alerts.map((alert) => alert.json['SourceIP'])

const log = (rookery: TestConsole) =>
  rookery.console.base.reader.selectFrom('delivery').selectAll().orderBy('delivery_id').execute()

describe.each(engines)('alerts (%s)', (engine) => {
  it('report an incident once, whole and signed; the incident is then notified, its updated_id as before', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    const { secret } = await addReceiver(rookery, receiver.url, { headers: '{"x-own":"yes"}' })
    const source = await raiseIncident(rookery, { fields: { NOTE: 'evil \u202egnp.exe\u0007' } })
    const [alert] = await receiver.tries(1)
    await raiseIncident(rookery, { srcHost: source })
    await rookery.console.dispatcher.idle()
    expect(receiver.alerts).toHaveLength(1)
    expect(alert?.headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' })
    const [incident] = await rookery.console.base.reader.selectFrom('incident').selectAll().execute()
    expect(new Webhook(secret).verify(alert?.text ?? '', alert?.headers ?? {})).toEqual({
      Description: 'SSH Login Attempt',
      Timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)$/) as string,
      BirdName: 'bird-1',
      BirdID: '00000000000000aa',
      BirdIP: '10.0.0.5',
      BirdPort: 22,
      BirdLocation: '',
      SourceIP: source,
      ReverseDNS: '',
      IncidentHash: incident?.hash_id,
      IncidentKey: incident?.incident_key,
      FlockID: FLOCK,
      FlockName: 'Default Flock',
      Intro: `SSH Login Attempt on Bird bird-1 (10.0.0.5) from ${source}.`,
      AdditionalDetails: [
        ['USERNAME', 'root'],
        ['PASSWORD', 'toor'],
        ['NOTE', 'evil \ufffdgnp.exe\ufffd'],
      ],
      AlertType: 'BirdIncident',
      LogType: '4002',
      EventCount: 1,
      ConsoleUrl: rookery.console.apiUrl,
      IncidentUrl: `${rookery.console.apiUrl}/incidents/${incident?.hash_id}`,
      MatchedAnnotations: {},
    })
    expect(incident?.notified).toBe(1)
    expect(await log(rookery)).toMatchObject([{ state: 'delivered', attempts: 1, status: 204, reason: '' }])
  })

  it('wait for the name of their source while it is looked up, and go out without it after half a second', async () => {
    const clock = manualClock()
    const lookUp = Promise.withResolvers<string[]>()
    const asked: string[] = []
    const resolver = {
      addresses: () => Promise.resolve([]),
      reverse: (address: string) => {
        asked.push(address)
        return address === '192.0.2.1' ? lookUp.promise : new Promise<string[]>(() => undefined)
      },
    }
    const rookery = await open(engine, { world: { outbound: loopbackOutbound(), clock, resolver } })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery, { srcHost: '192.0.2.1' })
    lookUp.resolve(['scanner.example.net'])
    const [named] = await receiver.tries(1)
    expect(named?.json).toMatchObject({ SourceIP: '192.0.2.1', ReverseDNS: 'scanner.example.net' })
    await raiseIncident(rookery, { srcHost: '192.0.2.2' })
    await expect.poll(() => asked).toEqual(['192.0.2.1', '192.0.2.2'])
    const waiting = receiver.tries(2)
    await expect
      .poll(() => {
        clock.advance(500)
        return receiver.alerts.length
      })
      .toBe(2)
    const [, nameless] = await waiting
    expect(nameless?.json).toMatchObject({ SourceIP: '192.0.2.2', ReverseDNS: '' })
  })

  it("wait as long for the name when the Bird's clock is slow", async () => {
    const lookUp = Promise.withResolvers<string[]>()
    const resolver = { addresses: () => Promise.resolve([]), reverse: () => lookUp.promise }
    const rookery = await open(engine, {
      world: { outbound: loopbackOutbound(), clock: manualClock(), resolver },
    })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery, { agoMs: 1_900 })
    // A message that waited for nothing would be out by then.
    for (let i = 0; i < 5; i++) await rookery.get('/ping')
    lookUp.resolve(['scanner.example.net'])
    const [alert] = await receiver.tries(1)
    expect(alert?.json['ReverseDNS']).toBe('scanner.example.net')
  })

  it('of the console or a Flock name no Bird', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery, { nodeId: 'console', srcHost: '10.8.0.1' })
    await raiseIncident(rookery, { nodeId: FLOCK, srcHost: '10.8.0.2' })
    const alerts = await receiver.tries(2)
    expect(alerts.map(({ json }) => json['Intro'])).toEqual([
      'SSH Login Attempt from 10.8.0.1.',
      'SSH Login Attempt in Flock bird-1 from 10.8.0.2.',
    ])
  })

  it('carry the headers of their receiver, in the spelling in which it has them', async () => {
    const rookery = await open(engine)
    const lines: string[] = []
    const receiver = await openReceiver((_alert, response, { rawHeaders }) => {
      lines.push(...rawHeaders)
      response.writeHead(204).end()
    })
    const headers = '{"X-KEY-Id":"one","x-other":"two"}'
    const path = '/flock/settings/webhooks'
    await rookery.post(`${path}/generic/add`, { flock_id: FLOCK, url: receiver.url, headers })
    await rookery.post(`${path}/enable`, { flock_id: FLOCK })
    await raiseIncident(rookery)
    await receiver.tries(1)
    expect(lines).toEqual(expect.arrayContaining(['X-KEY-Id', 'one', 'x-other', 'two']))
  })

  it('of a token carry its memo', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery, { memo: 'On the boss’s desk' })
    const [alert] = await receiver.tries(1)
    expect(alert?.json).toMatchObject({
      AlertType: 'DecoytokenIncident',
      Reminder: 'On the boss’s desk',
      Token: '00000000000000aa',
      Triggered: 1,
    })
  })

  it('that met a 500 come again under the same id, later ones behind them', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver(refuse(500))
    const { secret } = await addReceiver(rookery, receiver.url)
    const first = await raiseIncident(rookery)
    await receiver.tries(1)
    receiver.behave(accept)
    const second = await raiseIncident(rookery)
    await rookery.console.dispatcher.idle()
    expect(receiver.alerts).toHaveLength(1)
    await rookery.post('/flock/settings/webhooks/generic/test', { flock_id: FLOCK, url: receiver.url })
    const [failed, , ...passed] = await receiver.tries(4)
    expect(sources(passed)).toEqual([first, second])
    expect(passed[0]?.id).toBe(failed?.id)
    expect(failed?.id).toMatch(/^msg_[0-9a-f]{32}$/)
    for (const { text, headers } of passed) new Webhook(secret).verify(text, headers)
  })

  it('keep their order, each once, however many come', async () => {
    const rookery = await open(engine, { alerting: { perMinute: Infinity } })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 45 }), async (count) => {
        const before = receiver.alerts.length
        await Promise.all(Array.from({ length: count }, () => raiseIncident(rookery)))
        await receiver.tries(before + count)
        await rookery.console.dispatcher.idle()
        const ids = receiver.alerts.map(({ id }) => id)
        expect(ids).toEqual((await log(rookery)).map(({ message_id }) => message_id))
      }),
      { numRuns: 4 },
    )
  })

  it('reach a healthy receiver at once while others hang, refuse and answer slowly', async () => {
    const rookery = await open(engine)
    const [healthy, hanging, broken] = [
      await openReceiver(),
      await openReceiver(hang),
      await openReceiver(refuse(500)),
    ]
    // It answers in the end, once all others have got everything.
    const others = Promise.withResolvers<void>()
    const slow = await openReceiver((_alert, response) => void others.promise.then(() => response.end()))
    for (const { url } of [hanging, broken, slow, healthy]) await addReceiver(rookery, url)
    await addReceiver(rookery, 'http://127.0.0.1:1/')
    for (let i = 1; i <= 20; i++) {
      await raiseIncident(rookery)
      await healthy.tries(i)
    }
    // A machine that takes its time has seen them tried again, with the same message.
    for (const { alerts } of [slow, hanging, broken]) expect(new Set(alerts.map(({ id }) => id)).size).toBe(1)
    others.resolve()
    await slow.tries(2)
  })

  it('outlive the console: what was not delivered goes out after the next start', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver(refuse(503))
    await addReceiver(rookery, receiver.url)
    const raised = [await raiseIncident(rookery)]
    await receiver.tries(1)
    for (let i = 0; i < 5; i++) raised.push(await raiseIncident(rookery))
    await rookery.restart()
    receiver.behave(accept)
    await rookery.console.dispatcher.idle()
    await rookery.post('/flock/settings/webhooks/generic/test', { flock_id: FLOCK, url: receiver.url })
    await receiver.tries(8)
    expect(sources(receiver.alerts.slice(2))).toEqual(raised)
    expect(receiver.alerts[2]?.id).toBe(receiver.alerts[0]?.id)
  })

  it('are dropped while the Flock’s are off, and of muted Birds', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await rookery.post('/flock/settings/webhooks/disable', { flock_id: FLOCK })
    await raiseIncident(rookery)
    await rookery.post('/flock/settings/webhooks/enable', { flock_id: FLOCK })
    await raiseIncident(rookery, { muted: true })
    const sent = await raiseIncident(rookery)
    await receiver.tries(1)
    await rookery.console.dispatcher.idle()
    expect(sources(receiver.alerts)).toEqual([sent])
    expect(await log(rookery)).toHaveLength(1)
  })

  it('end for a receiver that answers 410; another receiver gets a notice, and adding it again begins anew', async () => {
    const rookery = await open(engine)
    const [gone, other] = [await openReceiver(refuse(410)), await openReceiver()]
    const { webhook_id } = await addReceiver(rookery, gone.url)
    await addReceiver(rookery, other.url)
    await raiseIncident(rookery)
    await gone.tries(1)
    const notice = (await other.tries(2)).at(-1)
    expect(notice?.json).toMatchObject({
      AlertType: 'ReceiverSwitchedOff',
      Intro: `Alerts no longer go to the receiver at ${new URL(gone.url).host}: It answered 410: it wants no message any more.`,
    })
    gone.behave(accept)
    await raiseIncident(rookery)
    await other.tries(3)
    await rookery.console.dispatcher.idle()
    expect(gone.alerts).toHaveLength(1)
    const [listed] = (await rookery.get('/flock/settings/webhooks/generic/list', { flock_id: FLOCK })).json[
      'generic_webhooks'
    ] as unknown as { disabled_reason?: string }[]
    expect(listed?.disabled_reason).toMatch(/410/)
    const { json } = await rookery.get('/audit_trail/fetch', { user: 'console', limit: 1 })
    expect(json['audit_trail']).toMatchObject([
      { action_type: 'console.receiver_off', message: expect.stringContaining(webhook_id) as string },
    ])
    const again = await addReceiver(rookery, gone.url)
    expect(again.webhook_id).toBe(webhook_id)
    const source = await raiseIncident(rookery)
    const alert = (await gone.tries(2)).at(-1)
    expect(alert?.json['SourceIP']).toBe(source)
    new Webhook(again.secret).verify(alert?.text ?? '', alert?.headers ?? {})
  })

  it('that wait for a receiver end with its removal', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver(refuse(500))
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery)
    await raiseIncident(rookery)
    await receiver.tries(1)
    await rookery.console.dispatcher.idle()
    await rookery.post('/flock/settings/webhooks/generic/remove', { flock_id: FLOCK, url: receiver.url })
    expect(await log(rookery)).toMatchObject([{ state: 'dropped' }, { state: 'dropped' }])
  })
})
