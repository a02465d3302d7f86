// Secrets are planted everywhere, then looked for in everything that leaves: log, answers, metrics, the files on disk.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { newKey } from '@rookery/kernel/ids.ts'
import { addChannel } from '../src/notify/receivers/chatops/channels.ts'
import { systemRandom } from '../src/world/system.ts'
import { ADMIN, openTestConsole } from './test-console.ts'
import { sshLogin } from './touches.ts'

it('secrets leave the console only where they are asked for', async () => {
  let logged = ''
  const log = pino(
    { level: 'trace' },
    new Writable({ write: (chunk: Buffer, _encoding, done) => ((logged += chunk.toString()), done()) }),
  )
  const masterKey = Buffer.from(systemRandom.bytes(32)).toString('hex')
  const house = await openTestConsole({
    log,
    env: {
      ROOKERY_MASTER_KEY: masterKey,
      ROOKERY_METRICS_TOKEN: 'scrape-me-0123456789',
      ROOKERY_BOOTSTRAP_EMAIL: 'ann@example.com',
      ROOKERY_BOOTSTRAP_PASSWORD: 'kestrel-over-the-harbour',
      ROOKERY_ASSETINV_URL: 'https://assets.example.com/export?key=inventory-url-0815',
      ROOKERY_ASSETINV_TOKEN: 'inventory-token-0815',
    },
  })
  const { apiUrl = '', folder } = house.console
  const flock_id = 'flock:default'

  const added = await house.post('/auth_token/add', { auth_token_type: 'read-only', note: 'n' })
  const apiKey = (added.json as unknown as { global_api_key: { auth_token: string } }).global_api_key
    .auth_token
  const factory = String(
    (await house.post('/decoytoken/create_factory', { flock_id, memo: 'm' })).json['factory_auth'],
  )
  const headerValue = 'a-header-of-the-receiver-4711'
  const webhook = await house.post('/flock/settings/webhooks/generic/add', {
    flock_id,
    url: 'https://alerts.example.org/in',
    headers: JSON.stringify({ Authorization: headerValue }),
  })
  expect([added.status, webhook.status]).toEqual([200, 200])
  const collectorToken = 'a-token-of-the-collector-4711'
  const teamchatPath = 'a-path-of-the-team-chat-4711'
  const chatopsPath = 'a-path-of-the-chat-service-4711'
  const webhooks = '/flock/settings/webhooks'
  const siem = { flock_id, host: 'collector.example.org', port: '8088', token: collectorToken }
  const team = { flock_id, url: `https://teamchat.example.org/${teamchatPath}` }
  const chat = { flock_id, url: `https://chatops.example.org/${chatopsPath}` }
  for (const [path, params] of [
    ['siem/add', siem],
    ['teamchat/add', team],
  ] as const)
    expect([path, (await house.post(`${webhooks}/${path}`, params)).status]).toEqual([path, 200])
  const { base } = house.console
  const channel = { team: 'Blue team', channel: '#alerts', url: chat.url, configuration_url: chat.url }
  await base.writer.write((tx) => addChannel(tx, base, flock_id, channel))
  const webhookSecret = String(webhook.json['secret'])
  const secrets = {
    admin: ADMIN,
    apiKey,
    factory,
    webhookSecret,
    headerValue,
    collectorToken,
    teamchatPath,
    chatopsPath,
    masterKey,
    scrape: 'scrape-me-0123456789',
    firstPassword: 'kestrel-over-the-harbour',
    password: 'plover-behind-the-dunes',
    inventoryUrl: 'inventory-url-0815',
    inventoryToken: 'inventory-token-0815',
  }
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret.length > 15]).toEqual([name, true])

  // Use them, rightly and wrongly, in every place that a client puts a key.
  const answers: string[] = []
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch(apiUrl + path, init)
    const text = await answer.text()
    answers.push(
      `${path.split('?')[0] ?? ''} ${answer.status} ${JSON.stringify([...answer.headers])} ${text}`,
    )
  }
  for (const key of [ADMIN, apiKey, factory, newKey(systemRandom)]) {
    await ask(`/api/v1/ping?auth_token=${key}`)
    await ask(`/api/v1/incidents/all?limit=nonsense&auth_token=${key}`)
    await ask(`/api/v1/incident/fetch?incident=x&auth_token=${key}`)
    await ask(`/api/v1/flock/note/add?auth_token=${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/x' },
      body: key,
    })
    await ask('/api/v1/flock/note/add', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"auth_token":"${key}","note":`,
    })
    await ask('/api/v1/flock/note', { headers: { 'X-Auth-Token': key } })
    await ask('/api/v1/flock/note', { headers: { Authorization: `Bearer ${key}` } })
    await ask(
      `/api/v1/decoytoken/factory/create?factory_auth=${key}&kind=nothing&memo=m&flock_id=${flock_id}`,
      { method: 'POST' },
    )
    await ask('/metrics', { headers: { Authorization: `Bearer ${key}` } })
  }
  for (const email of ['bea@example.com', 'nobody', 'ann@example.com']) {
    const params = new URLSearchParams({ email, password: secrets.password, auth_token: ADMIN }).toString()
    await ask(`/api/v1/user/create?${params}`, { method: 'POST' })
    await ask(`/api/v1/user/update?${params}&access_level=nonsense`, { method: 'POST' })
  }
  // The inventory cannot be reached: what is told of it must not name its secrets.
  await house.post('/settings/integrations/assetinv/enable')
  await expect
    .poll(async () => (await house.get('/settings')).text)
    .toContain('"problem":"The fetch failed."')
  await ask(`/api/v1/settings?auth_token=${ADMIN}`)
  await ask(`/api/v1/audit_trail/fetch?auth_token=${ADMIN}`)
  await ask('/readyz')
  await house.console.ingest.fromConsole(sshLogin())
  await house.console.alerts.idle()
  await house.post('/flock/settings/webhooks/generic/test', {
    flock_id,
    url: 'https://alerts.example.org/in',
  })
  for (const [path, params] of [
    ['siem/test', { flock_id }],
    ['teamchat/test', team],
    ['chatops/test', chat],
  ] as const) {
    const { text } = await house.post(`${webhooks}/${path}`, params)
    answers.push(`${path} ${text}`)
  }
  for (const path of ['teamchat', 'chatops', 'generic/list'])
    answers.push((await house.get(`${webhooks}/${path}`, { flock_id }, apiKey)).text)
  answers.push((await house.get('/deliveries/list', {}, apiKey)).text)
  await ask(`/metrics`)
  await house.console.base.writer.idle()

  const onDisk = readdirSync(folder.path)
    .map((name) => join(folder.path, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path))
  expect(onDisk.length).toBeGreaterThan(1)
  expect(logged).not.toBe('')
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, 'log', logged.includes(secret)]).toEqual([name, 'log', false])
    const leaking = answers.filter((answer) => answer.includes(secret))
    expect([name, leaking]).toEqual([name, []])
    expect([name, 'disk', onDisk.some((bytes) => bytes.includes(secret))]).toEqual([name, 'disk', false])
  }
})
