// A console on a small disk of its own that fills up: run in a mount namespace by disk.test.ts, tells what it saw.
// node disk.child.ts FOLDER (an empty tmpfs of 96 MB)
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openConsole } from '../../src/build.ts'
import { readConfig } from '../../src/config/config.ts'
import { systemWorld } from '../../src/world/system.ts'
import { fillDisk } from '../fill-disk.ts'
import { FREE_PORTS } from '../free-ports.ts'
import { registeredBird } from '../birds.ts'
import { sshLogin } from '../touches.ts'

const [folder = '.'] = process.argv.slice(2)
const ADMIN = '0123456789abcdef0123456789abcdef'
const filler = join(folder, 'filler')
const seen: Record<string, unknown> = {}

const config = readConfig({
  ROOKERY_DATA_DIR: join(folder, 'data'),
  ...FREE_PORTS,
  ROOKERY_BOOTSTRAP_KEY: ADMIN,
})
const world = systemWorld({ send: () => Promise.reject(new Error('this test has no outside')) })
const open = () => openConsole({ config, world, log: pino({ level: 'silent' }) })
let rookery = await open()

async function call(method: 'GET' | 'POST', path: string, params: Record<string, string> = {}) {
  const form = new URLSearchParams(params)
  const url = `${rookery.apiUrl ?? ''}/api/v1${path}`
  const headers = { 'X-Auth-Token': ADMIN }
  const response =
    method === 'GET'
      ? await fetch(`${url}?${form.toString()}`, { headers })
      : await fetch(url, { method, headers, body: form })
  return { status: response.status, json: (await response.json()) as Record<string, never> }
}

const gauge = async (name: string): Promise<number> => {
  const text = await (await fetch(`${rookery.apiUrl ?? ''}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
}

async function until(claim: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < 10_000;) {
    if (await claim()) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

const raise = (n: number, text = 'toor') =>
  rookery.ingest.fromConsole(
    sshLogin({
      srcHost: `10.0.${n >> 8}.${n & 255}`,
      instance: `ssh${n}`,
      fields: { USERNAME: 'root', PASSWORD: text },
    }),
  )

for (let n = 0; n < 100; n++) await raise(n)
const factory = await call('POST', '/decoytoken/create_factory', { flock_id: 'flock:default', memo: 'm' })
const made = await call('POST', '/decoytoken/factory/create', {
  factory_auth: String(factory.json['factory_auth']),
  kind: 'http',
  memo: 'm',
})
const { url } = made.json['decoytoken'] as unknown as { url: string }
const node_id = await registeredBird({ console: rookery }, { live: 1, takes_files: 1 })
const upload = (await call('POST', '/webrootupload/start', { node_id })).json as Record<string, string>
/** What the endpoint answers to a zip of 3 MiB. */
async function sendZip(): Promise<(number | string)[]> {
  const Authorization = `Basic ${Buffer.from(`upload:${upload['password']}`).toString('base64')}`
  const body = Buffer.alloc(3 * 1024 * 1024)
  const response = await fetch(upload['url'] ?? '', { method: 'PUT', headers: { Authorization }, body })
  const { result, message = '' } = (await response.json()) as { result: string; message?: string }
  return [response.status, result, message.split(':')[0] ?? '']
}

fillDisk(filler)
let stored = 100
for (; stored < 20_000; stored++) {
  const reason = await raise(stored, 'x'.repeat(3_000)).then(
    () => undefined,
    (error: unknown) => error as { code?: string; message: string },
  )
  if (!reason) continue
  seen['refusal'] = [reason.code, reason.message.replaceAll(folder, '<disk>')]
  break
}
// Many at once, so that one transaction holds refused and admitted work.
const crowd = await Promise.allSettled([
  raise(30_000),
  rookery.base.writer.write(() => Promise.resolve('care')),
  raise(30_001),
])
seen['crowd'] = crowd.map((it) =>
  it.status === 'fulfilled' ? 'done' : (it.reason as { code?: string }).code,
)

const since = performance.now()
seen['hit'] = (await fetch(url)).status
seen['answeredAfterMs'] = performance.now() - since
seen['waiting'] = await gauge('rookery_touches_waiting')
seen['full'] = await gauge('rookery_disk_full')

const list = (await call('GET', '/incidents/unacknowledged', { limit: '300' })).json[
  'incidents'
] as unknown as {
  id: string
}[]
seen['listed'] = list.length
const acknowledged: number[] = []
for (const { id } of list.slice(0, 300)) {
  acknowledged.push((await call('POST', '/incident/acknowledge', { incident: id })).status)
}
seen['acknowledged'] = [...new Set(acknowledged)]
seen['deleted'] = (await call('POST', '/incident/delete', { incident: list[0]?.id ?? '' })).status

seen['uploaded'] = await sendZip()

rmSync(filler)
seen['recovered'] = await until(() => !rookery.base.isFull())
seen['storedLater'] = await until(async () => {
  const { json } = await call('GET', '/incidents/search', { filter_str: 'Decoytoken' })
  return json['total_results'] === 1
})
seen['uploadedLater'] = await sendZip()
seen['waitingAfter'] = await gauge('rookery_touches_waiting')
await raise(40_000)

// Full again, and restarted so: the reserve is what the start lives on.
fillDisk(filler)
for (let n = 40_001; !rookery.base.isFull(); n++) await raise(n, 'x'.repeat(3_000)).catch(() => undefined)
await rookery.stop()
rookery = await open()
seen['restartedFull'] = rookery.base.isFull()
seen['listedAfterRestart'] = (await call('GET', '/incidents/all', { limit: '1' })).status
await rookery.stop()
rmSync(filler)
rookery = await open()
await until(() => !rookery.base.isFull())
await rookery.stop()

// It fills up while nobody serves.
fillDisk(filler)
seen['freeBeforeStart'] = statfsSync(folder).bavail
rookery = await open()
seen['startedFull'] = rookery.base.isFull()
seen['listedWhenStartedFull'] = (await call('GET', '/incidents/all', { limit: '1' })).status
rmSync(filler)
seen['recoveredAgain'] = await until(() => !rookery.base.isFull())
await raise(50_000)
const { total_results } = (await call('GET', '/incidents/search', { filter_incident_state: 'all' })).json
seen['whole'] = Number(total_results) >= stored
await rookery.stop()
process.stdout.write(JSON.stringify(seen))
