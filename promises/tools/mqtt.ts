// Alerts and states at Mosquitto, as Home Assistant would find them: retained, taken back, and offline when the console is killed.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeAuthority } from '../../packages/console/test/certificates.ts'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { startAgain, startProduct, type Product } from './lib/product.ts'
import { redis } from './lib/touch.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

const path = '/flock/settings/webhooks/mqtt'
const flock_id = 'flock:default'
const FLOCK = `rookery/flock/${flock_id}`
const [USER, PASSWORD, WATCHER] = ['rookery', 'correct horse', 'watcher']
const [PLAIN, TLS] = [1883, 8883]

interface Broker {
  readonly ca: string
  start(): Promise<void>
  stop(): Promise<void>
}

async function mosquitto(folder: string): Promise<Broker> {
  const own = join(folder, 'mosquitto')
  mkdirSync(own)
  const { ca, ...authority } = makeAuthority()
  const { key, cert } = authority.issue(['localhost', '127.0.0.1'])
  const files = {
    ca,
    key,
    cert,
    acl: `user ${WATCHER}\ntopic read #\nuser ${USER}\ntopic write rookery/#\ntopic write homeassistant/#\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text)
  for (const [n, user] of [USER, WATCHER].entries())
    assert.equal(
      (await run('mosquitto_passwd', ['-b', ...(n === 0 ? ['-c'] : []), join(own, 'users'), user, PASSWORD]))
        .code,
      0,
    )
  writeFileSync(
    join(own, 'mosquitto.conf'),
    [
      ...['user root', 'persistence false', 'allow_anonymous false'],
      ...[`password_file ${join(own, 'users')}`, `acl_file ${join(own, 'acl')}`],
      ...[`listener ${PLAIN} 127.0.0.1`, `listener ${TLS} 0.0.0.0`],
      ...[`certfile ${join(own, 'cert')}`, `keyfile ${join(own, 'key')}`],
    ].join('\n'),
  )
  let child: ChildProcess | undefined
  return {
    ca: join(own, 'ca'),
    async start() {
      child = spawn('mosquitto', ['-c', join(own, 'mosquitto.conf')], { stdio: 'ignore' })
      await listens(PLAIN)
      await listens(TLS)
    },
    async stop() {
      const ended = child && once(child, 'exit')
      child?.kill('SIGTERM')
      await ended
    },
  }
}

/** What a client sees that subscribes to everything: topic to what it holds now, and the alerts. */
function watch() {
  const child = spawn(
    'mosquitto_sub',
    ['-h', '127.0.0.1', '-V', '311', '-q', '1', '-u', WATCHER, '-P', PASSWORD, '-t', '#', '-F', '%t\t%p'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const topics = new Map<string, string>()
  const alerts: { readonly topic: string; readonly json: Readonly<Record<string, unknown>> }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const at = line.indexOf('\t')
    const [topic, payload] = [line.slice(0, at), line.slice(at + 1)]
    if (topic.endsWith('/alert')) alerts.push({ topic, json: JSON.parse(payload) as Record<string, unknown> })
    else if (payload === '') topics.delete(topic)
    else topics.set(topic, payload)
  })
  return { topics, alerts, stop: () => child.kill('SIGTERM') }
}

type Watch = ReturnType<typeof watch>

/** Answers after how many milliseconds. */
async function statusIs({ topics }: Watch, status: string, patienceMs = 20_000): Promise<number> {
  const startedAt = performance.now()
  await until(
    `${status} at rookery/status`,
    () => topics.get('rookery/status') === status || undefined,
    patienceMs,
  )
  return Math.round(performance.now() - startedAt)
}

const stateAt = ({ topics }: Watch, topic: string): Readonly<Record<string, unknown>> =>
  JSON.parse(topics.get(topic) ?? '{}') as Record<string, unknown>

/** What Home Assistant's documentation requires of a configuration. */
function judgeDiscovery(seen: Watch): number {
  const configs = [...seen.topics].filter(([topic]) => topic.startsWith('homeassistant/'))
  const ids = new Set<unknown>()
  for (const [topic, payload] of configs) {
    assert.match(topic, /^homeassistant\/(sensor|binary_sensor|event)\/[\w-]+\/[\w-]+\/config$/)
    const config = JSON.parse(payload) as Readonly<Record<string, unknown>>
    const { identifiers } = config['device'] as { identifiers: readonly string[] }
    assert.ok(identifiers.length > 0 && typeof config['name'] === 'string', payload)
    assert.equal(config['availability_topic'], 'rookery/status')
    const state = String(config['state_topic'])
    assert.ok(state.endsWith('/alert') || seen.topics.has(state), `nothing is retained at ${state}`)
    ids.add(config['unique_id'])
  }
  assert.equal(ids.size, configs.length, 'a unique_id is there twice')
  return configs.length
}

/** What the log of deliveries says, and so what a person reads. */
async function reasons({ console }: Product, say: (line: string) => void): Promise<void> {
  const url = `mqtt://127.0.0.1:${PLAIN}`
  const tries: [string, Record<string, string>, RegExp][] = [
    ['a wrong password', { url, user: USER, password: 'wrong' }, /CONNACK [45]\).*password/],
    ['no user', { url }, /CONNACK 5\).*not authorised/],
    [
      'plain where it wants TLS',
      { url: `mqtt://127.0.0.1:${TLS}`, user: USER },
      /without an answer: .*mqtts:/,
    ],
    ['no broker', { url: `mqtt://127.0.0.1:${console.port}` }, /no broker of MQTT/],
    [
      'another name',
      { url: `mqtts://127.0.0.2:${TLS}`, user: USER },
      /certificate is for .*, not for 127\.0\.0\.2/,
    ],
  ]
  for (const [what, params, reason] of tries) {
    const { status, json } = await console.post(`${path}/test`, { flock_id, ...params })
    say(`${what}: ${String(json['message'])}`)
    assert.equal(status, 400)
    assert.match(String(json['message']), reason)
  }
}

const proof: Proof = {
  title: 'Mosquitto has each alert, the states of Birds as they are, and offline when the console is killed',
  needs: ['mosquitto', 'mosquitto_passwd', 'mosquitto_sub'],
  isIsolated: true,
  limitMs: 180_000,
  async prove({ folder, say }) {
    const broker = await mosquitto(folder)
    await broker.start()
    const product = await startProduct(folder, {
      ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8',
      ROOKERY_OUTBOUND_CA: broker.ca,
    })
    const { console, nodeId, port } = product
    await reasons(product, say)
    const account = { flock_id, user: USER, password: PASSWORD }
    const overTls = await console.post(`${path}/test`, { ...account, url: `mqtts://localhost:${TLS}` })
    assert.equal(overTls.status, 200, overTls.text)

    const seen = watch()
    const added = await console.post(`${path}/add`, { ...account, url: `mqtts://localhost:${TLS}` })
    assert.equal(added.status, 200, added.text)
    say(`online ${await statusIs(seen, 'online')} ms after it was added, over TLS by an authority of its own`)
    const bird = `rookery/bird/${nodeId}`
    assert.equal(stateAt(seen, bird)['live'], true)
    say(`${judgeDiscovery(seen)} configurations for Home Assistant, each with a state`)

    const startedAt = performance.now()
    await redis(port(6379), 'ECHO {{states}}#/+', '127.0.1.1')
    const alert = await until('the alert', () =>
      seen.alerts.find(({ json }) => json['event_type'] === 'incident'),
    )
    say(`an alert ${Math.round(performance.now() - startedAt)} ms after the touch`)
    assert.equal(alert.topic, `${FLOCK}/alert`)
    assert.equal(alert.json['SourceIP'], '127.0.1.1')
    const { id } = await incidentWith(console, '21001', {})
    const open = (): unknown => stateAt(seen, bird)['unacknowledged_incidents']
    await until('one unacknowledged incident', () => open() === 1 || undefined)
    assert.equal((await console.post('/incident/acknowledge', { incident: id })).status, 200)
    await until(
      'none',
      () => (open() === 0 && stateAt(seen, FLOCK)['unacknowledged_incidents'] === 0) || undefined,
    )

    await console.kill()
    say(`offline ${await statusIs(seen, 'offline')} ms after SIGKILL`)
    const again = await startAgain(product.options)
    await statusIs(seen, 'online')
    await broker.stop()
    seen.stop()
    await broker.start()
    const later = watch()
    say(`all is retained again ${await statusIs(later, 'online')} ms after Mosquitto started empty`)
    assert.ok(later.topics.has(bird) && later.topics.has(FLOCK))
    judgeDiscovery(later)

    await again.console.post(`${path}/remove`, { flock_id, webhook_id: String(added.json['webhook_id']) })
    await until('nothing retained', () => later.topics.size === 0 || undefined)
    later.stop()
    const asWatcher = ['-h', '127.0.0.1', '-u', WATCHER, '-P', PASSWORD]
    const kept = await run('mosquitto_sub', [...asWatcher, '-t', '#', '--retained-only', '-W', '2'])
    assert.equal(kept.stdout, '')
    say('nothing is retained once the receiver was removed')
    await again.console.stop()
    await broker.stop()
  },
}

export default proof
