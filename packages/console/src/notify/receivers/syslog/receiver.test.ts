import { describe, expect, it } from 'vitest'
import { makeAuthority } from '../../../../test/certificates.ts'
import { FLOCK, loopbackOutbound, raiseIncident } from '../../../../test/raise-incident.ts'
import { openSyslogCollector, type SyslogCollector } from '../../../../test/syslog-collector.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { parseRanges } from '../../../addresses/ranges.ts'
import { openOutboundStream } from '../../../world/outbound-stream.ts'
import { systemClock, systemResolver } from '../../../world/system.ts'

const path = '/flock/settings/webhooks/syslog'
const flock_id = FLOCK
const loopback = () => openOutboundStream(parseRanges('127.0.0.0/8', 'allow'), systemResolver, systemClock)

const open = (engine: (typeof engines)[number]): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound(), outboundStream: loopback() } })

const at = ({ port }: SyslogCollector) => ({ flock_id, host: '127.0.0.1', port })

describe.each(engines)('a collector of syslog (%s)', (engine) => {
  it('takes each alert as one message, over TCP and over UDP, without passwords unless it asks for them', async () => {
    const rookery = await open(engine)
    const [tcp, udp] = [await openSyslogCollector('tcp'), await openSyslogCollector('udp')]
    await rookery.post(`${path}/add`, { ...at(tcp), protocol: 'tcp', format: 'ecs' })
    await rookery.post(`${path}/add`, { ...at(udp), protocol: 'udp', format: 'cef', tried_logins: true })
    const source = await raiseIncident(rookery, { fields: { NOTE: 'a\n<13>1 - forged - - - -' } })
    const [[overTcp = ''], [overUdp = '']] = [await tcp.received(1), await udp.received(1)]
    expect(overTcp).toMatch(/^<132>1 \S+ 127\.0\.0\.1 rookery - 4002 \[origin software="rookery"/)
    const document = JSON.parse(overTcp.slice(overTcp.indexOf('{'))) as object
    expect(document).toMatchObject({
      source: { ip: source },
      destination: { port: 22 },
      user: { name: 'root' },
      event: { kind: 'alert', code: '4002' },
      related: { user: ['root'] },
    })
    expect(overTcp).not.toContain('toor')
    expect(overUdp).toMatch(
      new RegExp(`CEF:0\\|Rookery\\|Rookery\\|[^|]+\\|4002\\|SSH Login Attempt\\|7\\|.* src=${source} `),
    )
    expect(overUdp).toContain('cs5Label=Password cs5=toor')
    await rookery.console.dispatcher.idle()
    expect((await rookery.api.deliveries.list()).deliveries.map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
    ])
  })

  it('over TLS shows a certificate of its own authority, and takes ours', async () => {
    const rookery = await open(engine)
    const authority = makeAuthority()
    const client = authority.issue(['console.test'])
    const collector = await openSyslogCollector('tls', {
      key: authority.key,
      cert: authority.cert,
      ca: authority.ca,
      requestCert: true,
    })
    const given = {
      ...at(collector),
      format: 'ocsf',
      ca: authority.ca,
      client_cert: client.cert,
      client_key: client.key,
    }
    expect((await rookery.post(`${path}/test`, given)).json).toEqual({ result: 'success' })
    expect((await collector.received(1))[0]).toContain('"class_uid":2004')
    const { ca: _, ...unknown } = given
    const refused = await rookery.post(`${path}/test`, unknown)
    expect([refused.status, refused.json['message']]).toEqual([
      400,
      expect.stringMatching(/No known authority/) as string,
    ])
    const other = authority.issue(['elsewhere.test'])
    const named = await openSyslogCollector('tls', { key: other.key, cert: other.cert })
    const wrongName = await rookery.post(`${path}/test`, { ...given, ...at(named) })
    expect([wrongName.status, wrongName.json['message']]).toEqual([
      400,
      expect.stringMatching(
        /certificate is for elsewhere\.test, not for 127\.0\.0\.1: give it by a name/,
      ) as string,
    ])
    const day = 86_400_000
    const old = authority.issue(['console.test'], {
      notBefore: Date.now() - 9 * day,
      notAfter: Date.now() - day,
    })
    const expired = await rookery.post(`${path}/test`, {
      ...given,
      client_cert: old.cert,
      client_key: old.key,
    })
    expect([expired.status, expired.json['message']]).toEqual([
      400,
      expect.stringMatching(/has expired on \d{4}-\d\d-\d\d: add it again with a new client_cert/) as string,
    ])
    const { client_cert: _cert, client_key: _key, ...anonymous } = given
    const unnamed = await rookery.post(`${path}/test`, anonymous)
    expect([unnamed.status, unnamed.json['message']]).toEqual([
      400,
      expect.stringMatching(
        /asks for a certificate of the console: give client_cert and client_key/,
      ) as string,
    ])
    const { json } = await rookery.post(`${path}/add`, given)
    expect((await rookery.get(`${path}/list`, { flock_id })).json).toMatchObject({
      syslog: [
        { webhook_id: json['webhook_id'], host: '127.0.0.1', protocol: 'tls', has_client_certificate: true },
      ],
    })
    expect((await rookery.get(`${path}/list`, { flock_id })).text).not.toContain('PRIVATE KEY')
    expect(
      (await rookery.post(`${path}/remove`, { flock_id, webhook_id: String(json['webhook_id']) })).status,
    ).toBe(200)
  })

  it('that restarts gets again what it may have lost, under the same id, without a further alert', async () => {
    const rookery = await open(engine)
    const collector = await openSyslogCollector('tcp')
    await rookery.post(`${path}/add`, { ...at(collector), protocol: 'tcp' })
    for (let n = 0; n < 3; n++) await raiseIncident(rookery)
    await collector.received(3)
    await rookery.console.dispatcher.idle()
    collector.cut()
    const messages = await collector.received(6)
    expect(messages.slice(3)).toEqual(messages.slice(0, 3))
  })

  it('is never sent a digest', async () => {
    const rookery = await openTestConsole({
      engine,
      world: { outbound: loopbackOutbound(), outboundStream: loopback() },
      alerting: { perMinute: 2 },
    })
    const collector = await openSyslogCollector('tcp')
    await rookery.post(`${path}/add`, { ...at(collector), protocol: 'tcp' })
    for (let n = 0; n < 10; n++) await raiseIncident(rookery)
    for (const message of await collector.received(10)) expect(message).toContain('SSH Login Attempt')
  })

  it('that cannot work is refused, by the parameter', async () => {
    const rookery = await open(engine)
    const { cert, key } = makeAuthority()
    const wrong: [Record<string, string | number>, string, RegExp][] = [
      [{ host: 'https://logs.example.com' }, 'host', /without scheme/],
      [{ host: '10.0.0.1' }, 'host', /not a public address/],
      [{ host: 'logs.example.com', protocol: 'tcp', ca: cert }, 'ca', /tls alone/],
      [{ host: 'logs.example.com', client_cert: cert }, 'client_key', /required with the other/],
      [
        { host: 'logs.example.com', client_cert: cert, client_key: makeAuthority().key },
        'client_key',
        /is not the key/,
      ],
      [{ host: 'logs.example.com', client_cert: cert, client_key: 'x' }, 'client_key', /private key as PEM/],
      [{ host: 'logs.example.com', ca: key }, 'ca', /certificate as PEM/],
    ]
    for (const [params, field, reason] of wrong) {
      const answer = await rookery.post(`${path}/add`, { flock_id, ...params })
      expect([params, answer.status]).toEqual([params, 400])
      expect(String((answer.json['details'] as unknown as Record<string, string>)[field])).toMatch(reason)
    }
    const closed = await rookery.post(`${path}/test`, {
      flock_id,
      host: '127.0.0.1',
      port: 1,
      protocol: 'tcp',
    })
    expect(closed.json['message']).toBe('The test was not delivered: The connection was refused.')
  })
})
