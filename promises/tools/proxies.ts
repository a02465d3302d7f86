// The samples of deploy/: each proxy as it is printed there, in front of a real console.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ADMIN, startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { root } from '../../tools/clone.mjs'
import { startBird } from './lib/bird.ts'
import { rookery, run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'
import { plant } from './tokens/token-proof.ts'

const HOST = 'rookery.example.com'
const TOKENS = 'tokens.example.com'
/** An address of loopback that is not the proxy's own. */
const VISITOR = '127.0.0.77'

interface Ground extends Stage {
  readonly console: RunningConsole
}

interface Proxy {
  readonly name: string
  readonly sample: string
  /** Its program, once the sample lies at `file`. */
  readonly command: (file: string, folder: string) => readonly [string, ...string[]]
  readonly wrapped?: (file: string, folder: string) => string
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    sample: 'nginx/rookery.conf',
    wrapped: (file, folder) =>
      `pid ${folder}/nginx.pid;\nerror_log stderr;\nuser root;\nevents {}\nhttp {\n  access_log off;\n  include ${file};\n}\n`,
    command: (file, folder) => ['nginx', '-p', folder, '-c', `${file}.main`, '-g', 'daemon off;'],
  },
  {
    name: 'Caddy',
    sample: 'caddy/Caddyfile',
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'HAProxy',
    sample: 'haproxy/haproxy.cfg',
    command: (file) => ['haproxy', '-db', '-f', file],
  },
]

async function prepare({ folder }: Stage): Promise<void> {
  const tls = join(folder, 'tls')
  mkdirSync(tls)
  const made = await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${HOST}`],
    ...['-addext', `subjectAltName=DNS:${HOST}`],
    ...['-keyout', join(tls, 'console.key'), '-out', join(tls, 'console.pem')],
  ])
  assert.equal(made.code, 0, made.stderr)
  const both = ['console.pem', 'console.key'].map((name) => readFileSync(join(tls, name), 'utf8')).join('')
  writeFileSync(join(tls, 'console-and-key.pem'), both)
  // The names of the samples lead to loopback, in this proof alone.
  const hosts = join(folder, 'hosts')
  writeFileSync(hosts, `127.0.0.1 localhost ${HOST} ${TOKENS}\n`)
  const mounted = await run('mount', ['--bind', hosts, '/etc/hosts'])
  assert.equal(mounted.code, 0, mounted.stderr)
}

async function prove(ground: Ground, proxy: Proxy): Promise<void> {
  const { folder, say } = ground
  const file = join(folder, proxy.name)
  const sample = readFileSync(join(root, 'deploy', proxy.sample), 'utf8')
    .replaceAll('/etc/rookery/tls/', `${folder}/tls/`)
    .replace(/^(\s*)# With a certificate of your own: /m, '$1')
  writeFileSync(file, sample)
  if (proxy.wrapped) writeFileSync(`${file}.main`, proxy.wrapped(file, folder))
  const [program, ...args] = proxy.command(file, folder)
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder },
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit')
  try {
    for (const port of [443, 80])
      await listens(port, '127.0.0.1').catch((error: unknown) => {
        throw new Error(`${(error as Error).message} ${proxy.name} said: ${said}`)
      })
    const page = await run('curl', ['-sk', `https://${HOST}/`])
    assert.match(page.stdout, /<title>Rookery/, page.stdout)
    await streams()
    const nodeId = await joins(ground, proxy)
    await opens(ground)
    say(
      `${proxy.name}: the page, the stream at once, Bird ${nodeId} by its link, a token opened by ${VISITOR}`,
    )
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** The stream says its first words while it stays open. */
async function streams(): Promise<void> {
  const asked = request(`https://${HOST}/api/v1/live`, {
    rejectUnauthorized: false,
    headers: { 'X-Auth-Token': ADMIN },
  })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
  assert.equal(answer.statusCode, 200)
  const [first] = (await once(answer, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer]
  assert.match(first.toString(), /^(event|data|:|retry)/)
  asked.destroy()
}

async function joins({ folder, console }: Ground, { name }: Proxy): Promise<string> {
  const code = (await rookery(['enrol'], { ROOKERY_DATA_DIR: console.dataDir })).trim()
  const bird = startBird(['--console', `https://${HOST}`, '--enrol', code, '--bind', VISITOR], {
    ROOKERY_DATA_DIR: join(folder, `bird of ${name}`),
    ROOKERY_BIRD_PORT_OFFSET: '20000',
  })
  const nodeId = await until(
    `a Bird stands behind ${name}`,
    () => /Bird ([0-9a-f]+) is running/.exec(bird.said())?.[1],
    30_000,
  )
  assert.equal(await bird.stop(), 0)
  return nodeId
}

async function opens(ground: Ground): Promise<void> {
  const { console, folder } = ground
  const { id, url } = await plant(
    { kind: 'http', program: '', needs: [], logtype: '17000', fire: () => Promise.resolve({}) },
    { console, folder, resolverPort: 0 },
  )
  const at = new URL(new URL(url).pathname, `http://${TOKENS}`).href
  const forged = ['-H', 'X-Forwarded-For: 6.6.6.6']
  const { code, stdout } = await run('curl', ['-si', '--interface', VISITOR, ...forged, at])
  assert.equal(code, 0)
  assert.doesNotMatch(stdout, /^(via|server: (nginx|caddy|haproxy))/im, stdout)
  await incidentWith(console, '17000', { src_host: VISITOR }, id)
}

/** The samples of two consoles on a PostgreSQL that fails over are read by their programs, and not run here. */
async function parse({ folder, say }: Stage): Promise<void> {
  // Patroni wants to reach each etcd that its file names, and no more of it than that.
  const etcd = createServer((socket) => socket.destroy()).listen(2379, '0.0.0.0')
  for (const host of ['10.0.0.11', '10.0.0.12', '10.0.0.13'])
    assert.equal((await run('ip', ['address', 'add', `${host}/32`, 'dev', 'lo'])).code, 0)
  const file = join(folder, 'patroni-haproxy.cfg')
  const sample = readFileSync(join(root, 'deploy/patroni/haproxy.cfg'), 'utf8')
  writeFileSync(file, sample.replaceAll('/etc/rookery/tls', join(folder, 'tls')))
  for (const [program, ...args] of [
    ['haproxy', '-c', '-f', file],
    ['patroni', '--validate-config', join(root, 'deploy/patroni/patroni.yml')],
  ] as const) {
    const read = await run(program, args)
    assert.equal(read.code, 0, read.stdout + read.stderr)
  }
  etcd.close()
  say('Patroni and the HAProxy before its members read their samples')
}

const proof: Proof = {
  title: 'behind nginx, Caddy and HAProxy as deploy/ has them: page, stream, links of Birds, tokens',
  needs: ['nginx', 'caddy', 'haproxy', 'curl', 'openssl', 'mount', 'ip', 'promtool', 'patroni'],
  isIsolated: true,
  limitMs: 240_000,
  async prove(stage) {
    await prepare(stage)
    const dataDir = join(stage.folder, 'data')
    mkdirSync(dataDir)
    const env = {
      ROOKERY_TOKENS_TLS_LISTEN: '127.0.0.1:8444',
      ROOKERY_TRUSTED_PROXIES: '127.0.0.1/32',
      ROOKERY_PUBLIC_URL: `https://${HOST}`,
      ROOKERY_TOKENS_URL: `http://${TOKENS}`,
    }
    for (const proxy of PROXIES) {
      const console = await startConsole({
        dataDir,
        ports: { port: 8080, tokensPort: 8081, dnsPort: 8053 },
        env: { ...env, ...(proxy.name === 'HAProxy' && { ROOKERY_TOKENS_PROXY_PROTOCOL: '127.0.0.1/32' }) },
      })
      await prove({ ...stage, console }, proxy)
      await console.stop()
    }
    const rules = await run('promtool', ['test', 'rules', 'rookery.rules.test.yml'], {
      cwd: join(root, 'deploy/prometheus'),
    })
    assert.equal(rules.code, 0, rules.stdout + rules.stderr)
    stage.say(
      'Prometheus: the rules wake for a console that is down and a disk that is full, and for nothing else',
    )
    await parse(stage)
  },
}

export default proof
