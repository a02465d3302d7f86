// Secrets are planted everywhere, then looked for in everything that leaves: log, answers, metrics, the files on disk.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { newKey } from '@rookery/kernel/ids.ts'
import { addChannel } from '../../src/notify/receivers/chatops/channels.ts'
import { systemRandom } from '../../src/world/system.ts'
import { ADMIN, openTestConsole, type TestConsole } from '../test-console.ts'
import { sshLogin } from '../touches.ts'

const FLOCK = 'flock:default'
const MASTER_KEY = Buffer.from(systemRandom.bytes(32)).toString('hex')
const teamchatPath = 'a-path-of-the-team-chat-4711'
const chatopsPath = 'a-path-of-the-chat-service-4711'
const webhooks = '/flock/settings/webhooks'
const team = { flock_id: FLOCK, url: `https://teamchat.example.org/${teamchatPath}` }
const chat = { flock_id: FLOCK, url: `https://chatops.example.org/${chatopsPath}` }

it('secrets leave the console only where they are asked for', async () => {
  let logged = ''
  const log = pino(
    { level: 'trace' },
    new Writable({ write: (chunk: Buffer, _encoding, done) => ((logged += chunk.toString()), done()) }),
  )
  const opened = await openTestConsole({
    log,
    env: {
      ROOKERY_MASTER_KEY: MASTER_KEY,
      ROOKERY_METRICS_TOKEN: 'scrape-me-0123456789',
      ROOKERY_BOOTSTRAP_EMAIL: 'ann@example.com',
      ROOKERY_BOOTSTRAP_PASSWORD: 'kestrel-over-the-harbour',
      ROOKERY_ASSETINV_URL: 'https://assets.example.com/export?key=inventory-url-0815',
      ROOKERY_ASSETINV_TOKEN: 'inventory-token-0815',
    },
  })
  const secrets = await plantSecrets(opened)
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret.length > 15]).toEqual([name, true])

  const answers = answersOf(opened)
  await useKeys(answers.ask, secrets)
  await usePasswords(answers.ask, secrets)
  await useIntegrations(opened, answers, secrets.apiKey)
  await opened.console.base.writer.idle()

  const onDisk = readdirSync(opened.console.folder.path)
    .map((name) => join(opened.console.folder.path, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path))
  expect(onDisk.length).toBeGreaterThan(1)
  expect(logged).not.toBe('')
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, 'log', logged.includes(secret)]).toEqual([name, 'log', false])
    const leaking = answers.texts.filter((answer) => answer.includes(secret))
    expect([name, leaking]).toEqual([name, []])
    expect([name, 'disk', onDisk.some((bytes) => bytes.includes(secret))]).toEqual([name, 'disk', false])
  }
})

/** Puts a secret into each place of the console that takes one; answers them by name. */
async function plantSecrets(opened: TestConsole) {
  const added = await opened.post('/auth_token/add', { auth_token_type: 'read-only', note: 'n' })
  const apiKey = (added.json as unknown as { global_api_key: { auth_token: string } }).global_api_key
    .auth_token
  const factory = String(
    (await opened.post('/decoytoken/create_factory', { flock_id: FLOCK, memo: 'm' })).json['factory_auth'],
  )
  const headerValue = 'a-header-of-the-receiver-4711'
  const webhook = await opened.post('/flock/settings/webhooks/generic/add', {
    flock_id: FLOCK,
    url: 'https://alerts.example.org/in',
    headers: JSON.stringify({ Authorization: headerValue }),
  })
  expect([added.status, webhook.status]).toEqual([200, 200])
  const collectorToken = 'a-token-of-the-collector-4711'
  const siem = { flock_id: FLOCK, host: 'collector.example.org', port: '8088', token: collectorToken }
  for (const [path, params] of [
    ['siem/add', siem],
    ['teamchat/add', team],
  ] as const)
    expect([path, (await opened.post(`${webhooks}/${path}`, params)).status]).toEqual([path, 200])
  const { base } = opened.console
  const channel = { team: 'Blue team', channel: '#alerts', url: chat.url, configuration_url: chat.url }
  await base.writer.write((tx) => addChannel(tx, base, FLOCK, channel))
  const webhookSecret = String(webhook.json['secret'])
  return {
    admin: ADMIN,
    apiKey,
    factory,
    webhookSecret,
    headerValue,
    collectorToken,
    teamchatPath,
    chatopsPath,
    masterKey: MASTER_KEY,
    scrape: 'scrape-me-0123456789',
    firstPassword: 'kestrel-over-the-harbour',
    password: 'plover-behind-the-dunes',
    inventoryUrl: 'inventory-url-0815',
    inventoryToken: 'inventory-token-0815',
  }
}

type Secrets = Awaited<ReturnType<typeof plantSecrets>>
type Answers = ReturnType<typeof answersOf>

/** Requests to the API, and the answers to them as texts. */
function answersOf({ console }: TestConsole) {
  const texts: string[] = []
  const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch((console.apiUrl ?? '') + path, init)
    const text = await answer.text()
    texts.push(`${path.split('?')[0] ?? ''} ${answer.status} ${JSON.stringify([...answer.headers])} ${text}`)
  }
  return { texts, ask }
}

/** Sends keys, right and wrong ones, in every place that a client puts a key. */
async function useKeys(ask: Answers['ask'], { apiKey, factory }: Secrets): Promise<void> {
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
    await ask(`/api/v1/decoytoken/factory/create?factory_auth=${key}&kind=nothing&memo=m&flock_id=${FLOCK}`, {
      method: 'POST',
    })
    await ask('/metrics', { headers: { Authorization: `Bearer ${key}` } })
  }
}

async function usePasswords(ask: Answers['ask'], { password }: Secrets): Promise<void> {
  for (const email of ['bea@example.com', 'nobody', 'ann@example.com']) {
    const params = new URLSearchParams({ email, password, auth_token: ADMIN }).toString()
    await ask(`/api/v1/user/create?${params}`, { method: 'POST' })
    await ask(`/api/v1/user/update?${params}&access_level=nonsense`, { method: 'POST' })
  }
}

/** Makes the console send to its inventory and receivers, and reads what it says of them. */
async function useIntegrations(opened: TestConsole, { texts, ask }: Answers, apiKey: string): Promise<void> {
  // The inventory cannot be reached: the problem that the settings show must not name its secrets.
  await opened.post('/settings/integrations/assetinv/enable')
  await expect
    .poll(async () => (await opened.get('/settings')).text)
    .toContain('"problem":"The fetch failed."')
  await ask(`/api/v1/settings?auth_token=${ADMIN}`)
  await ask(`/api/v1/audit_trail/fetch?auth_token=${ADMIN}`)
  await ask('/readyz')
  await opened.console.ingest.fromConsole(sshLogin())
  await opened.console.dispatcher.idle()
  await opened.post('/flock/settings/webhooks/generic/test', {
    flock_id: FLOCK,
    url: 'https://alerts.example.org/in',
  })
  for (const [path, params] of [
    ['siem/test', { flock_id: FLOCK }],
    ['teamchat/test', team],
    ['chatops/test', chat],
  ] as const) {
    const { text } = await opened.post(`${webhooks}/${path}`, params)
    texts.push(`${path} ${text}`)
  }
  for (const path of ['teamchat', 'chatops', 'generic/list'])
    texts.push((await opened.get(`${webhooks}/${path}`, { flock_id: FLOCK }, apiKey)).text)
  texts.push((await opened.get('/deliveries/list', {}, apiKey)).text)
  await ask(`/metrics`)
}
