// The certificate of the token host by ACME: real servers prove the zone by asking our DNS server, and real clients trust it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { freePort } from '../../tools/free-port.ts'
import { makeAuthority } from '../../packages/console/test/certificates.ts'
import { nodePath, root } from '../../tools/clone.mjs'
import { installedAws } from './lib/aws.ts'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { startUnbound, SYSTEM_RESOLVER } from './lib/unbound.ts'
import { until } from './lib/until.ts'
import { missing, type Proof, type Stage } from './lib/proof.ts'
import { download, plant } from './tokens/token-proof.ts'

const ZONE = 'tokens.example'
const HTTPS_PORT = 443
const DNS_PORT = 5_300

interface Judge {
  readonly program: string
  /** Its directory. */
  readonly url: string
  /** The command that serves it, where `cert` and `key` are files of its own TLS. */
  readonly command: (files: JudgeFiles) => readonly string[]
  /** Answers the authority that its certificates come from, PEM. */
  readonly rootOf: (files: JudgeFiles) => Promise<string>
}

interface JudgeFiles {
  readonly folder: string
  readonly cert: string
  readonly key: string
}

const judges: readonly Judge[] = [
  {
    program: 'pebble',
    url: 'https://127.0.0.1:14000/dir',
    command({ folder, cert, key }) {
      const config = join(folder, 'pebble.json')
      const pebble = {
        listenAddress: '127.0.0.1:14000',
        managementListenAddress: '127.0.0.1:15000',
        certificate: cert,
        privateKey: key,
        httpPort: 5002,
        tlsPort: 5001,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      }
      writeFileSync(config, JSON.stringify({ pebble }))
      // It refuses a fifth of all good nonces: some in each run, and too many in a row, for a client that tries six times, in hardly any.
      const env = ['PEBBLE_WFE_NONCEREJECT=20', 'PEBBLE_VA_NOSLEEP=1']
      return ['env', ...env, 'pebble', '-strict', '-config', config, '-dnsserver', `${SYSTEM_RESOLVER}:53`]
    },
    rootOf: async () => (await run('curl', ['-sk', 'https://127.0.0.1:15000/roots/0'])).stdout,
  },
  {
    program: 'caddy',
    url: 'https://127.0.0.1:14443/acme/local/directory',
    command({ folder, cert, key }) {
      const config = join(folder, 'Caddyfile')
      writeFileSync(
        config,
        `{
  admin off
  skip_install_trust
  auto_https disable_redirects
}
https://127.0.0.1:14443 {
  tls ${cert} ${key}
  acme_server
}
`,
      )
      const env = [`HOME=${folder}`, `XDG_DATA_HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`]
      return ['env', ...env, 'caddy', 'run', '--config', config, '--adapter', 'caddyfile']
    },
    rootOf: async ({ folder }) =>
      (await run('cat', [join(folder, 'caddy/pki/authorities/local/root.crt')])).stdout,
  },
]

async function prove(judge: Judge, folder: string, { say, skip }: Omit<Stage, 'folder'>): Promise<void> {
  const { program, url, command, rootOf } = judge
  const authority = makeAuthority()
  const files = { folder, cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const trusted = join(folder, 'ca.pem')
  writeFileSync(files.cert, authority.cert)
  writeFileSync(files.key, authority.key)
  writeFileSync(trusted, authority.ca)
  const [name = '', ...args] = command(files)
  const server = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => void (printed = (printed + chunk.toString()).slice(-8_000)))
  const stopResolver = await startUnbound({
    folder,
    port: await freePort(),
    zone: ZONE,
    authoritativePort: DNS_PORT,
  })
  await until(`${program} answers`, async () => {
    const { code } = await run('curl', ['-sf', '--cacert', trusted, url])
    return code === 0 ? true : undefined
  })
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const env = {
    ROOKERY_DNS_LISTEN: `127.0.0.1:${DNS_PORT}`,
    ROOKERY_TOKENS_DOMAIN: ZONE,
    ROOKERY_TOKENS_ACME: 'ops@tokens.example',
    ROOKERY_TOKENS_ACME_URL: url,
    ROOKERY_TOKENS_TLS_LISTEN: `127.0.0.1:${HTTPS_PORT}`,
    ROOKERY_TOKENS_TLS_URL: `https://${ZONE}`,
    ROOKERY_OUTBOUND_ALLOW: '127.0.0.1/32',
    ROOKERY_OUTBOUND_CA: trusted,
    ROOKERY_LOG: 'info',
  }
  const startedAt = performance.now()
  const console = await startConsole({ dataDir, env })
  const rootFile = join(folder, 'root.pem')
  writeFileSync(rootFile, await rootOf(files))

  const { json } = await console.post('/decoytoken/create', { kind: 'http', memo: 'm' })
  const { url: plainUrl, decoytoken } = json['decoytoken'] as Record<'url' | 'decoytoken', string>
  const tokenUrl = new URL(new URL(plainUrl).pathname, `https://${ZONE}`).href
  const fetched = (at: string) =>
    run('curl', ['-sS', '--cacert', rootFile, '--resolve', `*:${HTTPS_PORT}:127.0.0.1`, at])
  try {
    await until(
      'curl trusts the certificate',
      async () => {
        const { code } = await fetched(tokenUrl)
        return code === 0 ? true : undefined
      },
      40_000,
      200,
    )
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${console.said()}\n${printed}`, { cause: error })
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  const below = await fetched(`https://${decoytoken}.${ZONE}/`)
  assert.equal(below.code, 0, below.stderr)
  const elsewhere = await fetched('https://a.b.tokens.example/')
  assert.notEqual(elsewhere.code, 0, 'a name two labels below the zone is not certified')
  const { stdout } = await run('sh', [
    '-c',
    'openssl s_client -connect 127.0.0.1:443 -servername tokens.example </dev/null 2>/dev/null | openssl x509 -noout -issuer -ext subjectAltName',
  ])
  assert.match(stdout, /DNS:\*\.tokens\.example/)
  const doctor = await run(nodePath(), [join(root, '.build/rookery.mjs'), 'doctor', '--data-dir', dataDir], {
    env: { ...process.env, ...env },
  })
  const line = doctor.stdout.split('\n').find((it) => /^\w+ +certificate /.test(it)) ?? ''
  say(`${program}: trusted by curl after ${seconds} s; ${line.replace(/ +/g, ' ')}`)
  assert.match(line, /^ok/)

  await fireByAws(console, { folder, rootFile, say, skip })

  await console.kill()
  const again = await startConsole({ dataDir, env })
  assert.equal((await fetched(tokenUrl)).code, 0)
  assert.ok(!again.said().includes('ordering a certificate'), 'a restart orders nothing')
  await again.stop()
  server.kill('SIGTERM')
  stopResolver()
}

interface AwsGround {
  readonly folder: string
  readonly rootFile: string
  readonly say: Stage['say']
  readonly skip: Stage['skip']
}

/** The file of a cloud key, as it was downloaded, used by HTTPS: nothing else says where the endpoint is. */
async function fireByAws(console: RunningConsole, { folder, rootFile, say, skip }: AwsGround): Promise<void> {
  const aws = await installedAws()
  if (!aws?.readsEndpoint)
    return skip(
      `cloud-a-id by HTTPS: aws ${aws?.version ?? 'is not installed'}; from 2.13 or 1.29 on it reads endpoint_url`,
    )
  const deps = { console, folder, resolverPort: 0 }
  const firing = { kind: 'cloud-a-id', program: 'aws', needs: [], logtype: '17012' }
  const planted = await plant({ ...firing, fire: () => Promise.resolve({}) }, deps)
  const file = await download(planted, deps, 'credentials')
  const env = [
    `AWS_SHARED_CREDENTIALS_FILE=${file}`,
    'AWS_CONFIG_FILE=/dev/null',
    `AWS_CA_BUNDLE=${rootFile}`,
    'AWS_MAX_ATTEMPTS=1',
  ]
  const used = await run('env', [...env, 'aws', 'sts', 'get-caller-identity'])
  assert.match(used.stdout, /arn:aws:iam::\d{12}:user\//, used.stderr)
  const fields = { service: 'sts', action: 'GetCallerIdentity', signature_valid: true, dst_port: HTTPS_PORT }
  await incidentWith(console, '17012', fields, planted.id)
  say(`cloud-a-id by HTTPS, aws ${aws.version}: event seen, fields right: ${Object.keys(fields).join(', ')}`)
}

const proof: Proof = {
  title:
    'ACME servers of the wild certify the zone and its names by our DNS, and clients trust what is served',
  needs: ['unbound', 'dig', 'curl', 'openssl'],
  uses: ['pebble', 'caddy', 'aws'],
  isIsolated: true,
  limitMs: 180_000,
  async prove({ folder, say, skip }) {
    for (const judge of judges) {
      const absent = missing([judge.program])
      if (absent !== undefined) {
        skip(`${judge.program}: ${absent}`)
        continue
      }
      const own = join(folder, judge.program)
      mkdirSync(own)
      await prove(judge, own, { say, skip })
    }
  },
}

export default proof
