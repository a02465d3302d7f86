import { describe, expect, it } from 'vitest'
import { raiseIncident, loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { mailTo, openMailSink } from '../../../test/mail-sink.ts'
import { openReceiver } from '../../../test/receiver.ts'

describe.each(engines)('the lists of the console (%s)', (engine) => {
  it('get the incidents of every Flock, also of one made later, besides the Flock’s own lists', async () => {
    const sink = await openMailSink({ disabledCommands: ['STARTTLS'] })
    const gateway = await openReceiver()
    const rookery = await openTestConsole({
      engine,
      world: { mail: mailTo(sink), outbound: loopbackOutbound() },
      env: { ROOKERY_SMS_URL: gateway.url },
    })
    const path = '/settings/notifications'
    await rookery.post(`${path}/emails`, { addresses: 'soc@a.test', enabled: true })
    await rookery.post(`${path}/sms`, { numbers: '+4930123456', enabled: true })
    const flock_id = String((await rookery.post('/flock/create', { name: 'Berlin' })).json['flock_id'])
    await rookery.post('/flock/settings/notifications/emails', {
      flock_id,
      addresses: 'berlin@a.test',
      enabled: true,
    })
    expect((await rookery.get(`${path}/info`)).json['notification_info']).toMatchObject({
      emails: { addresses: 'soc@a.test', enabled: true },
      sms: { numbers: '+4930123456', enabled: true },
      summary_email: { addresses: '', enabled: false },
    })
    await raiseIncident(rookery, { flockId: flock_id })
    await sink.count(2)
    const later = String((await rookery.post('/flock/create', { name: 'Kyoto' })).json['flock_id'])
    await raiseIncident(rookery, { flockId: later })
    await sink.count(3)
    await gateway.tries(2)
    await rookery.console.dispatcher.idle()
    const sent = sink.mails.map(({ to, text }) => `${String(to)} of ${/Flock: (.*)/.exec(text)?.[1]}`)
    expect(sent.slice(0, 2).sort()).toEqual(['berlin@a.test of Berlin', 'soc@a.test of Berlin'])
    expect(sent.slice(2)).toEqual(['soc@a.test of Kyoto'])
    expect(gateway.alerts.map(({ json }) => /\(.*?\)/.exec(String(json['text']))?.[0])).toEqual([
      '(Berlin)',
      '(Kyoto)',
    ])
    await rookery.post(`${path}/emails`, { enabled: false })
    expect((await rookery.get(`${path}/info`)).json['notification_info']).toMatchObject({
      emails: { addresses: 'soc@a.test', enabled: false },
    })
  })

  it('cannot be enabled without a provider', async () => {
    const rookery = await openTestConsole({ engine })
    for (const [list, params] of [
      ['emails', { addresses: 'a@b.test' }],
      ['sms', { numbers: '+4930123456' }],
      ['summary_email', { addresses: 'a@b.test' }],
    ] as const) {
      const answer = await rookery.post(`/settings/notifications/${list}`, { ...params, enabled: true })
      expect([answer.status, String(answer.json['message'])]).toEqual([
        409,
        expect.stringMatching(/provider not configured/),
      ])
    }
  })
})
