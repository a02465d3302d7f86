import { describe, expect, it } from 'vitest'
import { raiseIncident, FLOCK, loopbackOutbound } from '../../../test/raise-incident.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { mailTo, openMailSink } from '../../../test/mail-sink.ts'
import { openReceiver, refuse } from '../../../test/receiver.ts'
import { switchReceiverOff } from '../../stores/webhooks/store.ts'

const path = '/flock/settings/notifications'
const flock_id = FLOCK

const ALWAYS = { levels: 'used,tried,looked,house', quiet_hours: '' }
const NOBODY = {
  emails: { addresses: '', enabled: false, ...ALWAYS },
  sms: { enabled: false, numbers: '', ...ALWAYS },
  summary_email: { addresses: '', enabled: false },
}

async function open(engine: (typeof engines)[number]) {
  const sink = await openMailSink({ disabledCommands: ['STARTTLS'] })
  const gateway = await openReceiver()
  const smsUrl = gateway.url.replace('http://', 'http://rookery:p%40ss@')
  const rookery = await openTestConsole({
    engine,
    world: { mail: mailTo(sink), outbound: loopbackOutbound() },
    env: { ROOKERY_SMS_URL: smsUrl },
  })
  return { rookery, sink, gateway }
}

const info = async (rookery: TestConsole, of: string = flock_id) =>
  (await rookery.get(`${path}/info`, { flock_id: of })).json['notification_info']

const log = (rookery: TestConsole) =>
  rookery.console.base.reader.selectFrom('delivery').selectAll().orderBy('delivery_id').execute()

describe.each(engines)('the lists of a Flock (%s)', (engine) => {
  it('are empty at first, kept as they are set, in one spelling, and kept while disabled', async () => {
    const { rookery } = await open(engine)
    expect(await info(rookery)).toEqual(NOBODY)
    const set = await rookery.post(`${path}/emails`, {
      flock_id,
      addresses: 'Ops@Example.COM, night@example.org\nOps@example.com',
      enabled: true,
    })
    expect(set.json).toMatchObject({
      result: 'success',
      notification_info: {
        ...NOBODY,
        emails: { addresses: 'Ops@example.com,night@example.org', enabled: true },
      },
    })
    await rookery.post(`${path}/sms`, { flock_id, numbers: '+49 (30) 123-456' })
    await rookery.post(`${path}/summary_email`, { flock_id, addresses: 'team@example.com', enabled: true })
    await rookery.post(`${path}/emails`, { flock_id, enabled: false })
    await rookery.restart()
    expect(await info(rookery)).toMatchObject({
      emails: { addresses: 'Ops@example.com,night@example.org', enabled: false },
      sms: { numbers: '+4930123456', enabled: false },
      summary_email: { addresses: 'team@example.com', enabled: true },
    })
    await rookery.post(`${path}/summary_email`, { flock_id, clear: true })
    expect(await info(rookery)).toMatchObject({ summary_email: { addresses: '', enabled: false } })
  })

  it('refuse what is no address or number and name it; nothing is saved then', async () => {
    const { rookery } = await open(engine)
    const many = (n: number): string => Array.from({ length: n }, (_, i) => `a${i}@b.test`).join(',')
    const wrong: [string, Record<string, string | boolean>, string, RegExp][] = [
      ['emails', { addresses: 'ops@example.com,nonsense' }, 'addresses', /not "nonsense"/],
      ['emails', { addresses: 'a@b.test\r\nBcc: x@y.test' }, 'addresses', /not "Bcc: x@y.test"/],
      ['emails', { addresses: '"Ops" <a@b.test>' }, 'addresses', /must be e-mail addresses/],
      ['summary_email', { addresses: many(51) }, 'addresses', /at most 50, not 51/],
      ['sms', { numbers: '030123456' }, 'numbers', /country code, such as \+4930123456, not "030123456"/],
      ['sms', { numbers: '+49abc' }, 'numbers', /not "\+49abc"/],
      ['sms', {}, 'numbers', /one of numbers, enabled and clear is required/],
      ['emails', { addresses: 'a@b.test', clear: true }, 'addresses', /at once/],
    ]
    for (const [list, params, field, reason] of wrong) {
      const answer = await rookery.post(`${path}/${list}`, { flock_id, ...params })
      expect([params, answer.status]).toEqual([params, 400])
      expect(String((answer.json['details'] as unknown as Record<string, string>)[field])).toMatch(reason)
    }
    const nobody = await rookery.post(`${path}/emails`, { flock_id, enabled: true })
    expect([nobody.status, nobody.json['message']]).toEqual([
      409,
      'The list has no recipients: give addresses, too.',
    ])
    const nowhere = await rookery.post(`${path}/sms`, { flock_id: 'flock:none', numbers: '+4930123456' })
    expect([nowhere.status, nowhere.json['message']]).toEqual([404, 'Flock does not exist.'])
    expect(await info(rookery)).toEqual(NOBODY)
  })

  it('can be written but not enabled without a provider', async () => {
    const rookery = await openTestConsole({ engine })
    for (const [list, params, message] of [
      [
        'emails',
        { addresses: 'a@b.test' },
        'E-mail provider not configured: set ROOKERY_SMTP_URL and ROOKERY_SMTP_FROM.',
      ],
      [
        'summary_email',
        { addresses: 'a@b.test' },
        'E-mail provider not configured: set ROOKERY_SMTP_URL and ROOKERY_SMTP_FROM.',
      ],
      ['sms', { numbers: '+4930123456' }, 'SMS provider not configured: set ROOKERY_SMS_URL.'],
    ] as const) {
      const answer = await rookery.post(`${path}/${list}`, { flock_id, ...params, enabled: true })
      expect([answer.status, answer.json['message']]).toEqual([409, message])
      expect((await rookery.post(`${path}/${list}`, { flock_id, ...params })).status).toBe(200)
    }
    expect(await info(rookery)).toMatchObject({ emails: { addresses: 'a@b.test', enabled: false } })
  })

  it('say why they were switched off by themselves, and serve again when they are enabled', async () => {
    const { rookery, sink } = await open(engine)
    await rookery.post(`${path}/emails`, { flock_id, addresses: 'a@b.test', enabled: true })
    const { reader, writer } = rookery.console.base
    const row = await reader.selectFrom('webhook').select('webhook_id').executeTakeFirstOrThrow()
    await writer.write((tx) => switchReceiverOff(tx, row.webhook_id, 'Every message failed for 5 days.'))
    expect(await info(rookery)).toMatchObject({
      emails: { addresses: 'a@b.test', enabled: false, disabled_reason: 'Every message failed for 5 days.' },
    })
    await raiseIncident(rookery)
    await rookery.post(`${path}/emails`, { flock_id, enabled: true })
    expect((await info(rookery))?.['emails']).toEqual({ addresses: 'a@b.test', enabled: true, ...ALWAYS })
    const source = await raiseIncident(rookery)
    expect((await sink.count(1))[0]?.text).toContain(source)
  })

  it('are tested before they are saved, or as they are; a failure says why', async () => {
    const { rookery, sink, gateway } = await open(engine)
    const sent = await rookery.post(`${path}/emails/test`, { flock_id, addresses: 'new@example.com' })
    expect(sent.json).toEqual({ result: 'success' })
    expect((await sink.count(1))[0]?.text).toContain('Dummy Incident')
    const none = await rookery.post(`${path}/sms/test`, { flock_id })
    expect([none.status, none.json['message']]).toEqual([409, 'The list has no recipients: give numbers.'])
    await rookery.post(`${path}/sms`, { flock_id, numbers: '+4930123456' })
    await rookery.post(`${path}/sms/test`, { flock_id })
    expect((await gateway.tries(1))[0]?.json).toMatchObject({ to: ['+4930123456'] })
    gateway.behave(refuse(402))
    const refused = await rookery.post('/settings/notifications/sms/test', { numbers: '+4930123457' })
    expect([refused.status, refused.json['message']]).toEqual([
      400,
      'The test was not delivered: It answered 402; success is 200 to 299.',
    ])
    expect(await info(rookery)).toMatchObject({ emails: NOBODY.emails })
  })

  it('go with their Flock', async () => {
    const { rookery } = await open(engine)
    const answer = await rookery.api.flocks.create({ name: 'Berlin' })
    await rookery.post(`${path}/emails`, {
      flock_id: String(answer.flock_id),
      addresses: 'a@b.test',
      enabled: true,
    })
    await rookery.post('/flock/delete', { flock_id: String(answer.flock_id) })
    const { reader } = rookery.console.base
    expect(await reader.selectFrom('notification_list').selectAll().execute()).toEqual([])
    expect(await reader.selectFrom('webhook').selectAll().execute()).toEqual([])
  })
})

describe.each(engines)('the people on the lists (%s)', (engine) => {
  it('get each incident once by mail and SMS, whatever the switch of webhooks says', async () => {
    const { rookery, sink, gateway } = await open(engine)
    await rookery.post(`${path}/emails`, { flock_id, addresses: 'ops@a.test,night@a.test', enabled: true })
    await rookery.post(`${path}/sms`, { flock_id, numbers: '+4930123456,+4930123457', enabled: true })
    await rookery.api.flockWebhooks.disable({ flock_id })
    const source = await raiseIncident(rookery, {
      fields: { USERNAME: '<script>alert("x")</script> & \u202e', PASSWORD: "a\r\nFlock: 'fake'" },
    })
    const [mail] = await sink.count(1)
    expect(mail?.to).toEqual(['ops@a.test', 'night@a.test'])
    expect(mail?.headers.get('subject')).toBe('[Rookery] SSH Login Attempt: bird-1 (Default Flock)')
    expect(mail?.text).toContain(`SSH Login Attempt on Bird bird-1 (10.0.0.5) from ${source}.`)
    expect(mail?.text).toContain(`Open the incident: ${rookery.console.apiUrl}/incidents/`)
    // No line of the intruder's begins where ours begin.
    expect(mail?.text).not.toMatch(/^Flock: 'fake'/m)
    expect(mail?.html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; \ufffd')
    expect(mail?.html).not.toContain('<script')
    const [sms] = await gateway.tries(1)
    expect(sms?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('rookery:p@ss').toString('base64')}`,
      'content-type': 'application/json',
    })
    expect(sms?.json).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/) as string,
      to: ['+4930123456', '+4930123457'],
      text: `Rookery: SSH Login Attempt on bird-1 from ${source} (Default Flock). Someone tried to log in over SSH to a machine that has no users.`,
    })
    await rookery.console.dispatcher.idle()
    expect(await log(rookery)).toMatchObject([
      { state: 'delivered', status: 250 },
      { state: 'delivered', status: 204 },
    ])
    const { notified } = await rookery.console.base.reader
      .selectFrom('incident')
      .select('notified')
      .executeTakeFirstOrThrow()
    expect(notified).toBe(1)
    expect([sink.mails.length, gateway.alerts.length]).toEqual([1, 1])
  })

  it('hear nothing of muted Birds, of other Flocks, and while their list is off', async () => {
    const { rookery, sink, gateway } = await open(engine)
    const other = String((await rookery.api.flocks.create({ name: 'Berlin' })).flock_id)
    for (const params of [{ flock_id }, { flock_id: other }]) {
      await rookery.post(`${path}/emails`, { ...params, addresses: 'ops@a.test', enabled: true })
      await rookery.post(`${path}/sms`, { ...params, numbers: '+4930123456', enabled: true })
    }
    await rookery.post(`${path}/emails`, { flock_id: other, enabled: false })
    await raiseIncident(rookery, { muted: true })
    await raiseIncident(rookery, { flockId: other })
    await gateway.tries(1)
    await rookery.post(`${path}/sms`, { flock_id: other, enabled: false })
    await raiseIncident(rookery, { flockId: other })
    const source = await raiseIncident(rookery)
    await sink.count(1)
    await gateway.tries(2)
    await rookery.console.dispatcher.idle()
    expect(sink.mails.map(({ text }) => text.includes(source))).toEqual([true])
    expect(gateway.alerts).toHaveLength(2)
  })

  it('get what the server put off by the retry schedule, and only those who did not get it yet', async () => {
    const { rookery, sink } = await open(engine)
    await rookery.post(`${path}/emails`, {
      flock_id,
      addresses: 'a@a.test,late@a.test,gone@a.test',
      enabled: true,
    })
    sink.refuse((address) => {
      if (address.startsWith('late')) return { code: 450, text: 'greylisted' }
      return address.startsWith('gone') ? { code: 550, text: 'no such user' } : undefined
    })
    await raiseIncident(rookery)
    await sink.count(1)
    await rookery.console.dispatcher.idle()
    const [first] = await log(rookery)
    expect(first).toMatchObject({
      state: 'waiting',
      attempts: 1,
      reason: '2 of 3 addresses were not taken; late@a.test: 450 greylisted',
    })
    sink.refuse(() => undefined)
    const [row] = await rookery.console.base.reader.selectFrom('webhook').select('webhook_id').execute()
    rookery.console.dispatcher.probe(row?.webhook_id ?? '')
    await sink.count(2)
    await rookery.console.dispatcher.idle()
    expect(sink.mails.map(({ to }) => to)).toEqual([['a@a.test'], ['late@a.test']])
    expect(sink.mails[1]?.headers.get('message-id')).toBe(sink.mails[0]?.headers.get('message-id'))
    expect(await log(rookery)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  it('stay enabled when the gateway answers 410, which ends a receiver of its own', async () => {
    const { rookery, gateway } = await open(engine)
    await rookery.post(`${path}/sms`, { flock_id, numbers: '+4930123456', enabled: true })
    gateway.behave(refuse(410))
    await raiseIncident(rookery)
    await gateway.tries(1)
    await rookery.console.dispatcher.idle()
    expect(await log(rookery)).toMatchObject([{ state: 'waiting', status: 410 }])
    expect(await info(rookery)).toMatchObject({ sms: { enabled: true } })
  })
})

it('a key that may only read sees the lists and changes none', async () => {
  const { rookery } = await open('sqlite')
  const answer = await rookery.apiAs(ADMIN).apiKeys.add({ auth_token_type: 'read-only', note: 'x' })
  const key = answer.global_api_key.auth_token
  expect((await rookery.get(`${path}/info`, { flock_id }, key)).status).toBe(200)
  for (const list of ['emails', 'sms', 'summary_email'])
    expect((await rookery.post(`${path}/${list}`, { flock_id, enabled: false }, key)).status).toBe(403)
})
