// Receivers that cannot work are refused when they are added: each row is one that a user had added, and heard nothing.
import { createServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../test/certificate.ts'
import { listen } from '../../test/listen.ts'
import { FLOCK, raiseIncident } from '../../test/raise-incident.ts'
import { readOnlyKey } from '../../test/read-only-key.ts'
import { openReceiver, type Behaviour } from '../../test/receiver.ts'
import { engines, openTestConsole, type Params } from '../../test/test-console.ts'
import { readConfig } from '../config/config.ts'
import { openRealWorld } from '../world/real.ts'

/** What an error says, with its details. */
const errorText = (json: Readonly<Record<string, unknown>>): string =>
  `${String(json['message'])} ${JSON.stringify(json['details'])}`

const webhooks = '/flock/settings/webhooks'
const flock_id = FLOCK

/** As an operator starts it: the world is the real one. */
async function openWith(env: Record<string, string>, engine: (typeof engines)[number] = 'sqlite') {
  const { outbound, mail } = openRealWorld(readConfig(env))
  return openTestConsole({ engine, env, world: { outbound, mail } })
}

const OPTIONS = {
  ROOKERY_SMS_URL: 'http://10.0.0.7/sms',
  ROOKERY_SMTP_URL: 'smtp://10.0.0.8',
  ROOKERY_SMTP_FROM: 'console@example.com',
  ROOKERY_ASSETINV_URL: 'http://192.168.1.9/export',
  ROOKERY_STRIPE_SECRET_KEY: 'rk_test_1',
  ROOKERY_STRIPE_CARDHOLDER: 'ich_1',
  ROOKERY_STRIPE_URL: 'http://172.16.0.1',
}

const PRIVATE: readonly [what: string, path: string, params: Params][] = [
  ['a webhook', `${webhooks}/generic/add`, { flock_id, url: 'http://192.168.1.5/in' }],
  ['a webhook by a name of loopback', `${webhooks}/generic/add`, { flock_id, url: 'http://localhost:9000/' }],
  ['a team chat', `${webhooks}/teamchat/add`, { flock_id, url: 'https://[fd00::1]/in' }],
  ['an event collector', `${webhooks}/siem/add`, { flock_id, host: '10.0.0.9', port: 8088, token: 't' }],
  ['SMS', '/flock/settings/notifications/sms', { flock_id, numbers: '+491701234567', enabled: true }],
  ['mail', '/flock/settings/notifications/emails', { flock_id, addresses: 'a@example.com', enabled: true }],
  ['the asset inventory', '/settings/integrations/assetinv/enable', {}],
]

const PROVIDER: (typeof PRIVATE)[number] = [
  'a token of a provider',
  '/decoytoken/create',
  { kind: 'credit-card', memo: 'travel card' },
]

describe.each(engines)('a receiver at a private address (%s)', (engine) => {
  it('is refused when it is added, whatever its kind, and the answer names the option that admits it', async () => {
    const rookery = await openWith(OPTIONS, engine)
    for (const [what, path, params] of [...PRIVATE, PROVIDER]) {
      const { status, json } = await rookery.post(path, params)
      expect([what, status, errorText(json)]).toEqual([
        what,
        400,
        expect.stringContaining('ROOKERY_OUTBOUND_ALLOW can admit it') as string,
      ])
    }
  })

  it('is added where the option admits it', async () => {
    const allow = '10.0.0.0/8,192.168.0.0/16,fd00::/8,127.0.0.0/8'
    const rookery = await openWith({ ...OPTIONS, ROOKERY_OUTBOUND_ALLOW: allow }, engine)
    for (const [what, path, params] of PRIVATE)
      expect([what, (await rookery.post(path, params)).status]).toEqual([what, 200])
  })
})

const HOOK = 'a1b2c3d4e5f6g7h8i9j0k1l2m3'
const ANOTHERS: readonly [kind: string, url: string, reason: RegExp][] = [
  ['teamchat', 'https://hooks.slack.com/services/T0/B0/x', /Slack.*webhooks\/generic\/add/],
  ['teamchat', 'https://discordapp.com/api/v10/webhooks/1/x', /Discord/],
  ['teamchat', 'https://chat.googleapis.com/v1/spaces/A/messages?key=k', /Google Chat/],
  ['teamchat', `https://chat.example.com/hooks/${HOOK}`, /Mattermost/],
]

it('the URL of a chat service is refused by operations of another kind, and the answer names the one that takes it', async () => {
  const rookery = await openTestConsole()
  for (const [kind, url, reason] of ANOTHERS) {
    const { status, json } = await rookery.post(`${webhooks}/${kind}/add`, { flock_id, url })
    expect([url, status, errorText(json)]).toEqual([url, 400, expect.stringMatching(reason) as string])
  }
  for (const [kind, url] of [
    ['teamchat', 'https://acme.webhook.office.com/webhookb2/1'],
    ['generic', 'https://acme.webhook.office.com/webhookb2/1'],
    ['generic', 'https://hooks.slack.com/services/T0/B0/x'],
    ['generic', 'https://alerts.example.com/hooks/rookery'],
  ] as const)
    expect((await rookery.post(`${webhooks}/${kind}/add`, { flock_id, url })).status).toBe(200)
})

const LONG = 'x'.repeat(500)
const says =
  (text: string): Behaviour =>
  (_alert, response) =>
    void response.writeHead(400, { 'content-type': 'text/plain' }).end(text)

it('what a receiver answers stands in its test and in the log, 200 characters of it, without its secrets', async () => {
  const rookery = await openWith({ ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8' })
  const receiver = await openReceiver(says(`no route named\u202e blue: Bearer s3cret-value ${LONG}`))
  const given = {
    flock_id,
    url: receiver.url,
    headers: JSON.stringify({ Authorization: 'Bearer s3cret-value' }),
  }
  await rookery.post(`${webhooks}/generic/add`, given)
  const said =
    /It answered 400; success is 200 to 299\. It said: no route named\ufffd blue: … … x{100,200}…?$/
  const tested = await rookery.post(`${webhooks}/generic/test`, { flock_id, url: receiver.url })
  expect(tested.json['message']).toMatch(said)
  expect(String(tested.json['message']).length).toBeLessThan(320)
  await raiseIncident(rookery)
  await rookery.console.dispatcher.idle()
  const { json } = await rookery.get('/deliveries/list', {}, await readOnlyKey(rookery))
  expect(json['deliveries']).toContainEqual(
    expect.objectContaining({ status: 400, reason: expect.stringMatching(said) as string }),
  )
})

it('a receiver whose certificate is of an authority of its own names the option for it', async () => {
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY })
  const port = await listen(server)
  const rookery = await openWith({ ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8' })
  const url = `https://127.0.0.1:${port}/in`
  const { status, json } = await rookery.post(`${webhooks}/generic/test`, { flock_id, url })
  expect([status, errorText(json)]).toEqual([400, expect.stringContaining('ROOKERY_OUTBOUND_CA') as string])
})
