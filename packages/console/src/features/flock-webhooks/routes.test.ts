import { describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { addReceiver, raiseIncident, FLOCK, loopbackOutbound } from '../../../test/raise-incident.ts'
import { readOnlyKey } from '../../../test/read-only-key.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { accept, openReceiver, refuse, reset } from '../../../test/receiver.ts'

const path = '/flock/settings/webhooks'
const flock_id = FLOCK

const open = (engine: (typeof engines)[number]): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound() } })

describe.each(engines)('the receivers of a Flock (%s)', (engine) => {
  it('are added, listed and removed; a secret is shown once, header values never', async () => {
    const rookery = await open(engine)
    const url = 'https://alerts.example.com/in?token=t0p'
    const added = await rookery.post(`${path}/generic/add`, {
      flock_id,
      url,
      headers: '{"X-Key":"hidden","x-other":"1"}',
    })
    expect(added.json).toMatchObject({
      result: 'success',
      webhook_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    })
    expect(String(added.json['secret'])).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    const list = await rookery.get(`${path}/generic/list`, { flock_id })
    expect(list.json).toEqual({
      result: 'success',
      generic_webhooks: [
        {
          header_names: ['X-Key', 'x-other'],
          url,
          webhook_id: added.json['webhook_id'],
          format: 'rookery',
          tried_logins: true,
          levels: 'used,tried,looked,house',
          quiet_hours: '',
        },
      ],
    })
    expect(list.text).not.toContain('hidden')
    expect((await rookery.get(`${path}/generic`, { flock_id })).json).toMatchObject({
      generic_webhooks: [url],
      webhooks_enabled: true,
    })
    expect((await rookery.post(`${path}/generic/remove`, { flock_id, url })).status).toBe(200)
    expect((await rookery.get(`${path}/generic`, { flock_id })).json).toMatchObject({ generic_webhooks: [] })
    const again = await rookery.post(`${path}/generic/remove`, { flock_id, url })
    expect([again.status, again.json['message']]).toEqual([404, 'Webhook does not exist.'])
  })

  it('show their whole URL to admins, their host to others; others change nothing', async () => {
    const rookery = await open(engine)
    await addReceiver(rookery, 'https://alerts.example.com:8443/secret-path')
    const key = await readOnlyKey(rookery)
    const list = await rookery.get(`${path}/generic/list`, { flock_id }, key)
    expect(list.json).toMatchObject({ generic_webhooks: [{ url: 'alerts.example.com:8443' }] })
    expect(list.text).not.toContain('secret-path')
    expect((await rookery.get(`${path}/generic`, { flock_id }, key)).text).not.toContain('secret-path')
    for (const name of ['disable', 'enable', 'use_global']) {
      expect((await rookery.post(`${path}/${name}`, { flock_id }, key)).status).toBe(403)
    }
    for (const name of ['add', 'remove', 'test']) {
      expect(
        (await rookery.post(`${path}/generic/${name}`, { flock_id, url: 'http://x.test/' }, key)).status,
      ).toBe(403)
    }
  })

  it('keep no secret readable in the database', async () => {
    const rookery = await open(engine)
    const { secret } = await addReceiver(rookery, 'https://alerts.example.com/s3cret-path', {
      headers: '{"x-key":"s3cret-value"}',
    })
    const rows = JSON.stringify(await rookery.console.base.reader.selectFrom('webhook').selectAll().execute())
    for (const hidden of ['s3cret-path', 's3cret-value', secret.slice(6)]) expect(rows).not.toContain(hidden)
  })

  it('refuse a URL or header that cannot be, and say why', async () => {
    const rookery = await open(engine)
    const wrong: [Record<string, string>, string, RegExp][] = [
      [{ url: 'nonsense' }, 'url', /must be a URL/],
      [{ url: 'ftp://x.test/' }, 'url', /http:\/\/ or https:\/\//],
      [{ url: 'javascript:alert(1)' }, 'url', /http:\/\/ or https:\/\//],
      [{ url: 'https://user:pass@x.test/' }, 'url', /no credentials/],
      [{ url: `https://x.test/${'a'.repeat(2048)}` }, 'url', /at most 2048/],
      [{ url: 'http://10.0.0.1/' }, 'url', /10\.0\.0\.1 is not a public address; ROOKERY_OUTBOUND_ALLOW/],
      [{ url: 'https://[::ffff:169.254.169.254]:8443/' }, 'url', /ROOKERY_OUTBOUND_ALLOW can admit it/],
      [{ url: 'https://x.test/', headers: 'nonsense' }, 'headers', /JSON object/],
      [{ url: 'https://x.test/', headers: '["a"]' }, 'headers', /JSON object/],
      [{ url: 'https://x.test/', headers: '{"a b":"c"}' }, 'headers', /"a b" is not the name/],
      [{ url: 'https://x.test/', headers: '{"a":"b\\r\\nc: d"}' }, 'headers', /value of "a"/],
      [{ url: 'https://x.test/', headers: '{"a":{"b":1}}' }, 'headers', /value of "a"/],
      [{ url: 'https://x.test/', headers: '{"A":"1","a":"2"}' }, 'headers', /there twice/],
      ...['Host', 'content-length', 'Webhook-Signature', 'webhook-id', 'Transfer-Encoding'].map(
        (name): [Record<string, string>, string, RegExp] => [
          { url: 'https://x.test/', headers: JSON.stringify({ [name]: 'x' }) },
          'headers',
          /set by Rookery itself/,
        ],
      ),
    ]
    for (const [params, field, reason] of wrong) {
      const answer = await rookery.post(`${path}/generic/add`, { flock_id, ...params })
      expect([params, answer.status]).toEqual([params, 400])
      expect(String((answer.json['details'] as unknown as Record<string, string>)[field])).toMatch(reason)
    }
    const without = await rookery.post(`${path}/generic/add`, { flock_id })
    expect([without.status, without.json['details']]).toEqual([400, { url: 'is required' }])
    for (const name of ['generic/add', 'generic/remove', 'generic/test', 'disable', 'enable', 'use_global']) {
      const answer = await rookery.post(`${path}/${name}`, { flock_id: 'flock:none', url: 'https://x.test/' })
      expect([name, answer.status, answer.json['message']]).toEqual([name, 404, 'Flock does not exist.'])
    }
  })

  it('are listed in the order in which they were added, also within a millisecond', async () => {
    const rookery = await openTestConsole({ engine, world: { clock: manualClock() } })
    const urls = Array.from({ length: 12 }, (_, n) => `https://${'zyxwvutsrqpo'[n] ?? ''}.example.com/`)
    for (const url of urls) await addReceiver(rookery, url)
    const { generic_webhooks } = await rookery.api.flockWebhooks.listGeneric({ flock_id })
    expect(generic_webhooks.map(({ url }) => url)).toEqual(urls)
  })

  it('are each there once: the same URL in another spelling is a 409', async () => {
    const rookery = await open(engine)
    const { webhook_id } = await addReceiver(rookery, 'https://alerts.example.com')
    const again = await rookery.post(`${path}/generic/add`, {
      flock_id,
      url: 'HTTPS://Alerts.Example.com:443/',
    })
    expect([again.status, again.json['message']]).toEqual([
      409,
      `The Flock already has this webhook (${webhook_id}).`,
    ])
  })

  it('follow the console until the Flock has a switch of its own', async () => {
    const rookery = await open(engine)
    const now = async () => {
      const enabled = (await rookery.get(`${path}/is_enabled`, { flock_id })).json['is_enabled']
      const global = (await rookery.get(`${path}/is_global`, { flock_id })).json['is_global']
      return [enabled, global]
    }
    expect(await now()).toEqual([true, true])
    await rookery.post(`${path}/disable`, { flock_id })
    expect(await now()).toEqual([false, false])
    await rookery.post(`${path}/enable`, { flock_id })
    expect(await now()).toEqual([true, false])
    await rookery.console.base.writer.write(async (tx) => {
      await tx.insertMany('console_setting', [{ name: 'webhooks_enabled', value: 'false' }])
      await tx.configChanged()
    })
    expect(await now()).toEqual([true, false])
    await rookery.post(`${path}/use_global`, { flock_id })
    expect(await now()).toEqual([false, true])
  })

  it('are tested for real: with headers and signature when registered, bare when not, a failure says why', async () => {
    const rookery = await open(engine)
    const receiver = await openReceiver()
    const bare = await rookery.post(`${path}/generic/test`, { flock_id, url: receiver.url })
    expect(bare.json).toEqual({ result: 'success', webhook: receiver.url })
    expect(receiver.alerts[0]?.headers['webhook-signature']).toBeUndefined()

    const { secret } = await addReceiver(rookery, receiver.url, { headers: '{"x-key":"k1"}' })
    await rookery.post(`${path}/generic/test`, { flock_id, url: receiver.url })
    const alert = receiver.alerts[1]
    expect(alert?.headers['x-key']).toBe('k1')
    expect(new Webhook(secret).verify(alert?.text ?? '', alert?.headers ?? {})).toMatchObject({
      Description: 'Dummy Incident',
      BirdID: '0000000testnode',
      LogType: '111111',
      AdditionalDetails: [
        ['Field1', 'Value1'],
        ['Field2', 'Value2'],
        ['Field3', 'Value3'],
      ],
    })

    receiver.behave(refuse(503))
    const failed = await rookery.post(`${path}/generic/test`, { flock_id, url: receiver.url })
    expect([failed.status, failed.json['message']]).toEqual([
      400,
      'The test was not delivered: It answered 503; success is 200 to 299.',
    ])
    receiver.behave(refuse(302, { location: 'http://127.0.0.1:1/' }))
    expect(
      (await rookery.post(`${path}/generic/test`, { flock_id, url: receiver.url })).json['message'],
    ).toMatch(/302: redirects/)
    receiver.behave(reset)
    expect((await rookery.post(`${path}/generic/test`, { flock_id, url: receiver.url })).status).toBe(400)
    const inside = await rookery.post(`${path}/generic/test`, {
      flock_id,
      url: 'http://169.254.169.254/latest/',
    })
    expect([inside.status, inside.json['message']]).toEqual([
      400,
      'The test was not delivered: 169.254.169.254 is not a public address; ROOKERY_OUTBOUND_ALLOW can admit it.',
    ])
    receiver.behave(accept)
    await raiseIncident(rookery)
    expect((await receiver.tries(6)).at(-1)?.json['Description']).toBe('SSH Login Attempt')
  })
})
