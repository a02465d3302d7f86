// The containers of the console and of a Bird, made by the steps of their Dockerfiles and run as deploy/container/compose.yaml says,
// as far as that goes without an engine.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DECOY_PORTS } from '../rig/scenes/local-bird.ts'
import { BIRD_FLAGS } from '../../packages/cli/bin/node-settings.mjs'
import { root as clone } from '../../tools/clone.mjs'
import { freeOffset, freePort } from '../../tools/free-port.ts'
import { rookery, run } from './lib/command.ts'
import { openContainer, type OpenContainer } from './lib/container.ts'
import { bootstrap } from './lib/debian-machine.ts'
import { buildContainer, type Container } from './lib/dockerfile.ts'
import { incidentWith } from './lib/incidents.ts'
import { redis } from './lib/touch.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

const FOLDER = join(clone, 'deploy/container')
/** What the reader of compose.yaml writes into .env. */
const DOT_ENV = {
  CONSOLE_NAME: 'rookery.example.com',
  TOKENS_NAME: 'tokens.example.com',
  LAN_INTERFACE: 'eth0',
  LAN_SUBNET: '192.0.2.0/24',
  LAN_GATEWAY: '192.0.2.1',
  BIRD_ADDRESS: '192.0.2.77',
}
/** Both start in seconds, but not where others work. */
const START_MS = 300_000
const AS_JSON = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'

interface Service {
  readonly environment: Readonly<Record<string, string>>
  readonly read_only: boolean
  readonly cap_drop: readonly string[]
  readonly security_opt: readonly string[]
  readonly build: { readonly context: string; readonly dockerfile: string }
}

/** As Compose itself reads its file. */
async function readCompose(): Promise<Readonly<Record<string, Service>>> {
  const env = { PATH: process.env['PATH'], ...DOT_ENV }
  const read = await run('docker-compose', ['-f', join(FOLDER, 'compose.yaml'), 'config'], { env })
  assert.equal(read.code, 0, read.stderr)
  const { stdout } = await run('python3', ['-c', AS_JSON], { input: read.stdout })
  return (JSON.parse(stdout) as { services: Record<string, Service> }).services
}

/** Built as its service says, in the clone's place for packages. */
async function build(service: Service, packages: string, base: string, folder: string): Promise<Container> {
  assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']])
  assert.deepEqual(service.security_opt, ['no-new-privileges:true'])
  assert.equal(service.build.context, join(clone, 'packages'))
  mkdirSync(folder)
  return buildContainer(join(service.build.context, service.build.dockerfile), packages, base, folder)
}

async function isLocked({ within }: OpenContainer, program: string): Promise<void> {
  const written = await within('touch', '/etc/here', `${program}/here`)
  assert.match(written.stderr, /Read-only file system[^]*Read-only file system/)
  const status = (await within('cat', '/proc/self/status')).stdout
  assert.match(status, /^Uid:\t65532\t65532\t65532\t65532$/m)
  assert.match(status, /^CapEff:\t0{16}$/m)
  assert.match(status, /^CapBnd:\t0{16}$/m)
}

const proof: Proof = {
  title:
    'console and Bird work in containers without root, without capabilities and on a read-only file system',
  needs: ['debootstrap', 'unshare', 'setpriv', 'docker-compose', 'python3'],
  limitMs: 900_000,
  async prove({ folder, say, skip }) {
    if (process.getuid?.() !== 0) return skip('needs root: it makes namespaces and a root of its own')
    const services = await readCompose()
    const packages = join(folder, 'packages')
    for (const name of ['console', 'bird']) await rookery(['package', 'deb', name, '--out', packages], {})
    const base = join(folder, 'base')
    await bootstrap(base, ['curl', 'openssl'])
    const make = (name: string): Promise<Container> => {
      const service = services[name]
      assert.ok(service, `compose.yaml has no service ${name}.`)
      return build(service, packages, base, join(folder, name))
    }

    const image = await make('console')
    const port = await freePort()
    const console = await openContainer(image, join(folder, 'volume of console'), {
      ...services['console']?.environment,
      ROOKERY_LISTEN: `0.0.0.0:${port}`,
      ROOKERY_TOKENS_LISTEN: `0.0.0.0:${await freePort()}`,
      ROOKERY_DNS_LISTEN: `0.0.0.0:${await freePort()}`,
      ROOKERY_TOKENS_TLS_LISTEN: '127.0.0.1:0',
      ROOKERY_TOKENS_WIREGUARD_LISTEN: 'off',
      ROOKERY_TOKENS_MYSQL_LISTEN: 'off',
      ROOKERY_TOKENS_POSTGRES_LISTEN: 'off',
    })
    await isLocked(console, '/usr/lib/rookery')
    say('inside: user 65532, no capability, nothing to write but /data and /tmp')
    const isHealthy = async (): Promise<boolean> => (await console.within(...image.healthCheck)).code === 0
    assert.equal(await isHealthy(), false, 'The health check is content without a console.')
    const serving = console.start()
    await until('the console is healthy', async () => (await isHealthy()) || undefined, START_MS).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${serving.said()}`)
      },
    )
    assert.match(serving.said(), new RegExp(`Set up +https://${DOT_ENV.CONSOLE_NAME}/`))
    const page = await fetch(`http://127.0.0.1:${port}/`)
    assert.match(await page.text(), /<title>Rookery/)
    say('the console: healthy, and its page is there')

    const key = (await console.within('cat', '/data/admin.key')).stdout.trim()
    const code = await console.within('rookery', 'enrol')
    assert.equal(code.code, 0, code.stderr)
    const offset = await freeOffset(DECOY_PORTS)
    const birdImage = await make('bird')
    assert.deepEqual(birdImage.entrypoint.slice(1, -2), BIRD_FLAGS)
    const bird = await openContainer(birdImage, join(folder, 'volume of bird'), {
      ...services['bird']?.environment,
      ROOKERY_CONSOLE: `http://127.0.0.1:${port}`,
      ROOKERY_ENROL: code.stdout.trim(),
      ROOKERY_BIRD_BIND: '127.0.0.1',
      ROOKERY_BIRD_PORT_OFFSET: String(offset),
    })
    await isLocked(bird, '/usr/lib/rookery-bird')
    const watching = bird.start()
    const nodeId = await until(
      'the Bird stands',
      () => /Bird ([0-9a-f]+) is running on .*, open ports: .*redis/.exec(watching.said())?.[1],
      START_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${watching.said()}`)
    })
    await redis(6379 + offset, 'ECHO contained')
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        headers: { 'X-Auth-Token': key },
      })
      const text = await answer.text()
      return { status: answer.status, text, json: JSON.parse(text) as Record<string, unknown> }
    }
    await incidentWith({ get }, '21001', { CMD: 'ECHO', ARGS: 'contained' }, nodeId)
    say(`enrolled by a code: a touch of the Bird is an incident of ${nodeId}`)

    assert.equal(await watching.stop(), 0, watching.said())
    assert.match(readFileSync(join(folder, 'volume of bird/bird/identity.json'), 'utf8'), /"key"/)
    assert.equal(await serving.stop(), 0, serving.said())
  },
}

export default proof
