// Two bare Debians: the console's package on one, the Bird's on the other, each service with the rights of its unit.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rookery, run } from '../lib/command.ts'
import { bootstrap, startMachine, type DebianMachine, type Service } from '../lib/debian-machine.ts'
import type { Incident } from '../lib/incidents.ts'
import { until } from '../lib/until.ts'
import type { Proof, Stage } from '../proof.ts'

const CONSOLE = '10.213.0.1'
const BIRD = '10.213.0.2'
/** A port below 1024: the unit gives the capability. */
const URL = `http://${CONSOLE}`
const METRICS_TOKEN = 'a-token-of-the-proof-0123456789'
const SIGN_IN_MS = 60_000

/** The package of this clone; a later revision is newer to dpkg. */
const build = async (what: string, folder: string, revision = '1'): Promise<string> =>
  (await rookery(['package', 'deb', what, '--out', folder, '--revision', revision], {})).trim()

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function get(machine: DebianMachine, path: string, ...headers: readonly string[]): Promise<string> {
  const args = headers.flatMap((header) => ['-H', header])
  const { stdout } = await machine.run('curl', ['-s', '-m', '5', ...args, `${URL}${path}`])
  return stdout
}

const isReady = (machine: DebianMachine): Promise<true> =>
  until(
    '/readyz answers 200',
    async () => {
      const args = ['-s', '-m', '5', '-o', '/dev/null', '-w', '%{http_code}', `${URL}/readyz`]
      return (await machine.run('curl', args)).stdout === '200' ? true : undefined
    },
    120_000,
    100,
  )

/** What the first key, which only the console's user reads, may call. */
const api = async (machine: DebianMachine, path: string): Promise<Readonly<Record<string, unknown>>> => {
  const key = readFileSync(join(machine.root, 'var/lib/rookery/admin.key'), 'utf8').trim()
  return JSON.parse(await get(machine, `/api/v1${path}`, `X-Auth-Token: ${key}`)) as never
}

const incidents = async (machine: DebianMachine): Promise<readonly Incident[]> =>
  (await api(machine, '/incidents/unacknowledged'))['incidents'] as readonly Incident[]

async function installConsole(machine: DebianMachine, deb: string, say: Stage['say']): Promise<Service> {
  const startedAt = performance.now()
  await machine.install(deb)
  say(`dpkg -i of the console: ${seconds(startedAt)}`)
  const conf = join(machine.root, 'etc/rookery/console.conf')
  const secret = join(machine.root, 'etc/rookery/secrets/metrics-token')
  writeFileSync(secret, `${METRICS_TOKEN}\n`, { mode: 0o600 })
  const wanted = readFileSync(conf, 'utf8')
    .replace(/^#ROOKERY_LISTEN=.*$/m, 'ROOKERY_LISTEN=0.0.0.0:80')
    .replace(/^#(?=ROOKERY_METRICS_TOKEN_FILE=)/m, '')
  writeFileSync(conf, wanted)
  const service = machine.startService('rookery.service')
  await isReady(machine).catch((error: Error) => {
    throw new Error(`${error.message}\n${service.said()}`)
  })
  assert.match(await get(machine, '/'), /<title>Rookery/)
  const tookMs = performance.now() - startedAt
  say(`from dpkg -i to the page, on port 80 without root: ${(tookMs / 1000).toFixed(1)} s`)
  assert.ok(tookMs < SIGN_IN_MS, 'That is more than a minute.')
  return service
}

/** A secret reached the console as a file; the data are its user's; all else it cannot write. */
async function seesOnlyItsOwn(machine: DebianMachine): Promise<void> {
  assert.match(await get(machine, '/metrics', `Authorization: Bearer ${METRICS_TOKEN}`), /^# HELP/)
  const { mode, uid } = statSync(join(machine.root, 'var/lib/rookery'))
  assert.equal(mode & 0o777, 0o700)
  assert.notEqual(uid, 0)
  assert.ok(
    !existsSync(join(machine.root, 'usr/lib/rookery/app/compiled')),
    'The program folder was written.',
  )
  assert.ok(existsSync(join(machine.root, 'var/cache/rookery')), 'Compiled code has no place.')
  assert.match(await machine.inside(['rookery', 'doctor']), /ok/)
}

async function joinBird(
  console: DebianMachine,
  bird: DebianMachine,
  deb: string,
  say: Stage['say'],
): Promise<Service> {
  const startedAt = performance.now()
  const code = (await console.inside(['rookery', 'enrol'])).trim()
  await bird.install(deb)
  const conf = join(bird.root, 'etc/rookery/bird.conf')
  const wanted = readFileSync(conf, 'utf8')
    .replace(/^ROOKERY_CONSOLE=$/m, `ROOKERY_CONSOLE=${URL}`)
    .replace(/^ROOKERY_ENROL=$/m, `ROOKERY_ENROL=${code}`)
  writeFileSync(conf, wanted)
  const service = bird.startService('rookery-bird.service')
  await standsAs(service)
  say(`a Bird on another machine, from its package and a code: ${seconds(startedAt)}`)
  return service
}

const standsAs = (bird: Service): Promise<string> =>
  until(
    'the Bird stands',
    () => /Bird ([0-9a-f]+) is running on .*, open ports: .*http 80/.exec(bird.said())?.[1],
    60_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}\n${bird.said()}`)
  })

async function touched(console: DebianMachine, password: string): Promise<void> {
  const form = `username=admin&password=${password}`
  await console.run('curl', ['-s', '-m', '10', '-d', form, `http://${BIRD}/index.html`])
  await until(
    'the touch is an incident',
    async () =>
      (await incidents(console)).some(({ description }) =>
        description.events.some((event) => event['PASSWORD'] === password),
      ) || undefined,
    20_000,
    200,
  )
}

async function installOver(machine: DebianMachine, running: Service, deb: string): Promise<Service> {
  await machine.install(deb)
  await isReady(machine)
  assert.equal(await running.stop(), 0, running.said())
  const next = machine.startService('rookery.service')
  await isReady(machine)
  return next
}

/** Packages go; data stay until they are purged, and dpkg says so. */
async function removed(machine: DebianMachine, name: string, user: string): Promise<void> {
  const data = join(machine.root, 'var/lib', user)
  assert.match(await machine.inside(['dpkg', '--remove', name]), new RegExp(`/var/lib/${user} .* stay`))
  assert.ok(existsSync(data), 'dpkg --remove deleted the data.')
  assert.ok(!existsSync(join(machine.root, 'usr/lib', user, 'bin/node')))
  assert.match(await machine.inside(['dpkg', '--purge', name]), new RegExp(`deleting /var/lib/${user} \\(`))
  assert.ok(!existsSync(data), 'dpkg --purge left the data.')
  assert.ok(!existsSync(join(machine.root, 'etc/rookery')), 'dpkg --purge left /etc/rookery.')
}

const proof: Proof = {
  title: 'packages on bare Debians: a console, a Bird of another machine, an upgrade, the way back, a purge',
  needs: ['debootstrap', 'unshare', 'nsenter', 'ip', 'setpriv', 'curl'],
  limitMs: 900_000,
  async prove({ folder, say, skip }) {
    if (process.getuid?.() !== 0) return skip('needs root: it makes namespaces and installs packages')
    const roots = { console: join(folder, 'console'), bird: join(folder, 'bird') }
    const startedAt = performance.now()
    const packages = join(folder, 'packages')
    const [consoleDeb, birdDeb] = [await build('console', packages), await build('bird', packages)]
    const newerDeb = await build('console', packages, '2')
    say(`three packages built in ${seconds(startedAt)}`)
    await bootstrap(roots.console)
    // With its devices.
    const copied = await run('cp', ['-a', roots.console, roots.bird], { patienceMs: 120_000 })
    assert.equal(copied.code, 0, copied.stderr)

    const console = await startMachine(roots.console, { address: `${CONSOLE}/24` })
    const peer = { pid: console.pid, address: `${CONSOLE}/24` }
    const bird = await startMachine(roots.bird, { address: `${BIRD}/24`, peer })
    try {
      let service = await installConsole(console, consoleDeb, say)
      await seesOnlyItsOwn(console)
      const birdService = await joinBird(console, bird, birdDeb, say)
      const nodeId = await standsAs(birdService)
      await touched(console, 'first')
      service = await installOver(console, service, newerDeb)
      await touched(console, 'upgraded')
      service = await installOver(console, service, consoleDeb)
      await touched(console, 'back')
      say('a newer build over the running one, and back: each touch is an incident')
      assert.equal(await birdService.stop(), 0, birdService.said())
      const again = bird.startService('rookery-bird.service')
      assert.equal(await standsAs(again), nodeId, 'The Bird is another one after its restart.')
      assert.equal(await again.stop(), 0, again.said())
      assert.equal(await service.stop(), 0, service.said())
      await removed(console, 'rookery-console', 'rookery')
      await removed(bird, 'rookery-bird', 'rookery-bird')
      say('dpkg --remove keeps the data, dpkg --purge says what it deletes')
    } finally {
      console.close()
      bird.close()
    }
  },
}

export default proof
