// Load balancers and proxies in front of the console: a touch is of the client that they name, and a client names nobody.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { run } from './lib/command.ts'
import { startHaproxy } from './lib/haproxy.ts'
import { knowsJa4, captureHellos } from './lib/captured-hellos.ts'
import { incidentWith, unacknowledged } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { serveSite } from './lib/site.ts'
import { missing, type Proof, type Stage } from './lib/proof.ts'
import { plant, type Planted } from './tokens/token-proof.ts'

/** Where the balancer listens, and where whatever connects to it comes from: the route of loopback says so. */
const BALANCER = '203.0.113.5'
const CLIENT = '192.0.2.7'
const [BALANCER_6, CLIENT_6] = ['2001:db8::5', '2001:db8::7']
/** The balancer's connections to the console come from here; those of the proxies from 127.0.0.1. */
const BALANCER_SOURCE = '127.0.0.9'
const PORTS = { http: 8081, https: 8444, mysql: 8306, postgres: 8432, lighttpd: 8082 } as const
const FORGED = ['-H', 'X-Forwarded-For: 6.6.6.6', '-H', 'Forwarded: for=6.6.6.6']

interface Ground extends Stage {
  readonly console: RunningConsole
}

async function nameClients(): Promise<void> {
  for (const args of [
    `address add ${CLIENT}/32 dev lo`,
    `address add ${BALANCER}/32 dev lo`,
    `route replace local ${BALANCER} dev lo table local src ${CLIENT}`,
    `-6 address add ${CLIENT_6}/128 dev lo nodad`,
    `-6 address add ${BALANCER_6}/128 dev lo nodad`,
  ]) {
    const { code, stderr } = await run('ip', args.split(' '))
    assert.equal(code, 0, `ip ${args}: ${stderr}`)
  }
}

const planted = ({ console, folder }: Ground, kind: string, logtype: string): Promise<Planted> =>
  plant(
    { kind, program: '', needs: [], logtype, fire: () => Promise.resolve({}) },
    { console, folder, resolverPort: 0 },
  )

/** Plants a token, has it opened at its path below the base, and waits for its event from this client. */
async function opened(
  ground: Ground,
  base: string,
  { from, args = [] }: { from: string; args?: readonly string[] },
): Promise<void> {
  const { id, url } = await planted(ground, 'http', '17000')
  const at = new URL(new URL(url).pathname, base).href
  const { code, stderr } = await run('curl', ['-sSk', '-o', '/dev/null', ...FORGED, ...args, at])
  assert.equal(code, 0, `${at}: ${stderr}`)
  await incidentWith(ground.console, '17000', { src_host: from }, id)
}

async function proveHaproxy(ground: Ground): Promise<void> {
  const { folder, say, console } = ground
  const listen = { binds: [], port: PORTS.http }
  const haproxy = await startHaproxy(folder, BALANCER_SOURCE, [
    { ...listen, name: 'v1', binds: [`${BALANCER}:80`, `[${BALANCER_6}]:80`], sends: 'send-proxy' },
    {
      ...listen,
      name: 'v2',
      binds: [`${BALANCER}:81`, `[${BALANCER_6}]:81`],
      sends: 'send-proxy-v2',
      checks: true,
    },
    {
      ...listen,
      name: 'fields',
      binds: [`${BALANCER}:82`],
      sends: 'send-proxy-v2 proxy-v2-options crc32c,unique-id,authority,ssl,cert-cn',
    },
    { ...listen, name: 'none', binds: [`${BALANCER}:83`], sends: '' },
    { name: 'https', binds: [`${BALANCER}:443`], port: PORTS.https, sends: 'send-proxy-v2' },
    { name: 'mysql', binds: [`${BALANCER}:3306`], port: PORTS.mysql, sends: 'send-proxy-v2' },
    { name: 'postgres', binds: [`${BALANCER}:5432`], port: PORTS.postgres, sends: 'send-proxy' },
  ])
  for (const [name, port] of [
    ['send-proxy', 80],
    ['send-proxy-v2', 81],
  ] as const) {
    await opened(ground, `http://${BALANCER}:${port}`, { from: CLIENT })
    await opened(ground, `http://[${BALANCER_6}]:${port}`, {
      from: CLIENT_6,
      args: ['--interface', CLIENT_6],
    })
    say(`HAProxy, ${name}: events from ${CLIENT} and ${CLIENT_6}`)
  }
  await opened(ground, `http://${BALANCER}:82`, { from: CLIENT })
  say('HAProxy, send-proxy-v2 with a checksum and four other fields: the same')
  await opened(ground, `https://${BALANCER}`, { from: CLIENT })
  say('HAProxy, send-proxy-v2 in front of TLS: the same')
  say(`HAProxy's own checks (LOCAL): ${await haproxy.checked('v2')}`)

  const before = (await unacknowledged(console)).length
  const { url } = await planted(ground, 'http', '17000')
  const { pathname } = new URL(url)
  const without = await run('curl', ['-sS', new URL(pathname, `http://${BALANCER}:83`).href])
  assert.notEqual(without.code, 0, 'a balancer that says nothing is refused')
  // The client's own header, behind the balancer's, and without a balancer.
  for (const base of [`http://${BALANCER}:80`, `http://127.0.0.1:${PORTS.http}`]) {
    const asked = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--haproxy-protocol']
    const { stdout } = await run('curl', [...asked, new URL(pathname, base).href])
    assert.equal(stdout, '400', `a client must not name itself at ${base}`)
  }
  assert.equal((await unacknowledged(console)).length, before)
  say('HAProxy without send-proxy: closed; a PROXY header of the client: 400; no event of either')
  await proveLogins(ground)
  haproxy.stop()
}

async function proveLogins(ground: Ground): Promise<void> {
  const { console, say, skip } = ground
  const logins = [
    {
      kind: 'dbdump',
      logtype: '17029',
      program: 'mariadb',
      args: (id: string) => ['-h', BALANCER, '-u', id, '-px'],
    },
    {
      kind: 'sql',
      logtype: '17011',
      program: 'psql',
      args: (id: string) => [`host=${BALANCER} user=${id} dbname=${id} sslmode=disable`],
    },
  ]
  for (const { kind, logtype, program, args } of logins) {
    const absent = missing([program])
    if (absent !== undefined) {
      skip(`${program}: ${absent}`)
      continue
    }
    const { id } = await planted(ground, kind, logtype)
    const { stderr } = await run(program, args(id))
    assert.match(stderr, new RegExp(CLIENT.replaceAll('.', '\\.')), stderr)
    await incidentWith(console, logtype, { src_host: CLIENT }, id)
    say(`${program} through HAProxy: event from ${CLIENT}, which the refusal names, too`)
  }
}

/** lighttpd writes Forwarded by itself. */
async function proveForwarded(ground: Ground): Promise<void> {
  const { folder, say } = ground
  const file = join(folder, 'lighttpd.conf')
  writeFileSync(
    file,
    `server.modules = ("mod_proxy")
server.document-root = "${folder}"
server.bind = "${BALANCER}"
server.port = ${PORTS.lighttpd}
$SERVER["socket"] == "[${BALANCER_6}]:${PORTS.lighttpd}" {}
proxy.server = ("" => (("host" => "127.0.0.1", "port" => ${PORTS.http})))
proxy.forwarded = ("for" => 1, "proto" => 1, "by" => 1, "host" => 1)
`,
  )
  const child = spawn('lighttpd', ['-D', '-f', file], { stdio: 'ignore' })
  await listens(PORTS.lighttpd, BALANCER)
  await opened(ground, `http://${BALANCER}:${PORTS.lighttpd}`, { from: CLIENT })
  await opened(ground, `http://[${BALANCER_6}]:${PORTS.lighttpd}`, {
    from: CLIENT_6,
    args: ['--interface', CLIENT_6],
  })
  await opened(ground, `http://${BALANCER}:${PORTS.lighttpd}`, {
    from: CLIENT,
    args: ['-H', 'Forwarded: for="'],
  })
  child.kill('SIGTERM')
  say(
    `lighttpd with proxy.forwarded: events from ${CLIENT} and ${CLIENT_6}, whatever the client sent of its own`,
  )
}

/** What tshark reads in each client's hello is what its token shows. */
async function proveJa4(ground: Ground): Promise<void> {
  const { console, folder, say, skip } = ground
  const capture = await captureHellos(folder, PORTS.https)
  const base = `https://127.0.0.1:${PORTS.https}`
  const referer = 'https://copy.example.net/'
  const clients: readonly (readonly [program: string, open: (url: string) => Promise<unknown>])[] = [
    ['curl', (url) => run('curl', ['-sk', '-e', referer, url])],
    [
      'wget',
      (url) => run('wget', ['-q', '-O', '/dev/null', '--no-check-certificate', `--referer=${referer}`, url]),
    ],
    ['chromium', (url) => browse(url, folder)],
  ]
  const shown: string[] = []
  for (const [program, open] of clients) {
    const absent = missing([program])
    if (absent !== undefined) {
      skip(`JA4 of ${program}: ${absent}`)
      continue
    }
    const { id, url } = await planted(ground, 'cloned-css', '17025')
    await open(new URL(new URL(url).pathname, base).href)
    const { description } = await incidentWith(console, '17025', { ja4: /^t1[23]/ }, id, 30_000)
    const ja4 = String(description.events[0]?.['ja4'])
    shown.push(`${program} ${ja4}`)
    const found = await capture.fingerprints(shown.length)
    assert.ok(found.includes(ja4), `${program}: the token shows ${ja4}, tshark read ${found.join(', ')}`)
  }
  capture.stop()
  const judge = (await knowsJa4()) ? 'tshark has the same' : 'the same from what tshark reads in their hellos'
  say(`JA4: ${shown.join(', ')}; ${judge}`)
}

async function browse(url: string, folder: string): Promise<void> {
  const site = await serveSite(`<style>body{background:url('${url}')!important}</style>`)
  const home = join(folder, 'chromium')
  await run(
    'chromium',
    [
      ...[
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--ignore-certificate-errors',
      ],
      ...[`--user-data-dir=${home}`, '--timeout=20000', '--virtual-time-budget=6000', '--dump-dom'],
      `http://127.0.0.1:${site.port}/`,
    ],
    { env: { ...process.env, HOME: home }, patienceMs: 60_000 },
  )
  site.close()
}

const proof: Proof = {
  title:
    'a touch behind HAProxy or lighttpd is of the client that they name, and shows how that client speaks TLS',
  needs: ['haproxy', 'lighttpd', 'curl', 'ip'],
  uses: ['tshark', 'mariadb', 'psql', 'wget', 'chromium'],
  isIsolated: true,
  limitMs: 240_000,
  async prove(stage) {
    await nameClients()
    const dataDir = join(stage.folder, 'data')
    mkdirSync(dataDir)
    const console = await startConsole({
      dataDir,
      env: {
        ROOKERY_TOKENS_LISTEN: `127.0.0.1:${PORTS.http}`,
        ROOKERY_TOKENS_TLS_LISTEN: `127.0.0.1:${PORTS.https}`,
        ROOKERY_TOKENS_MYSQL_LISTEN: `127.0.0.1:${PORTS.mysql}`,
        ROOKERY_TOKENS_POSTGRES_LISTEN: `127.0.0.1:${PORTS.postgres}`,
        ROOKERY_TOKENS_PROXY_PROTOCOL: `${BALANCER_SOURCE}/32`,
        ROOKERY_TRUSTED_PROXIES: '127.0.0.1/32',
        ROOKERY_TOKENS_FORWARDED_HEADER: 'forwarded',
      },
    })
    await Promise.all([PORTS.https, PORTS.mysql, PORTS.postgres].map((port) => listens(port, '127.0.0.1')))
    const ground = { ...stage, console }
    await proveHaproxy(ground)
    await proveForwarded(ground)
    const absent = missing(['tshark'])
    if (absent === undefined) await proveJa4(ground)
    else stage.skip(`JA4: ${absent}`)
    await console.stop()
  },
}

export default proof
