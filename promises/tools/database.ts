// The database decoy next to Debian's MariaDB: clients and scanners print the same of both, and each login is reported.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { HOST, startProduct, type Product } from './lib/product.ts'
import { missing, type Proof, type Stage } from './lib/proof.ts'

interface Row {
  readonly command: (host: string) => readonly [program: string, ...args: readonly string[]]
  /** Keys of an event of 8001; nothing when the tool does not log in. */
  readonly login?: Readonly<Record<string, string>>
}

const client =
  (...args: readonly string[]): Row['command'] =>
  (host) => ['mariadb', ...['--no-defaults', '-h', host, '-P', '3306', ...args, '-e', 'SELECT 1']]
const scan =
  (...args: readonly string[]): Row['command'] =>
  (host) => ['nmap', ...['-Pn', '-n', '-p', '3306', ...args, host]]

const rows = (list: string): readonly Row[] => [
  { command: client('-uroot', '-pletmein'), login: { USERNAME: 'root', PASSWORD: 'letmein' } },
  { command: client('-ueve', '-pletmein1', '--ssl'), login: { USERNAME: 'eve', PASSWORD: 'letmein1' } },
  {
    command: client('-umysql', '-pcorrect-horse', '-Dshop'),
    login: { USERNAME: 'mysql', PASSWORD: '<Password not in common list>' },
  },
  { command: client('-unobody', '--skip-password'), login: { USERNAME: 'nobody', PASSWORD: '' } },
  {
    command: client('-usha', '-ptoor', '--default-auth=caching_sha2_password'),
    login: { USERNAME: 'sha', PASSWORD: 'toor' },
  },
  {
    command: client('-uplain', '-ptoor', '--ssl', '--tls-version=TLSv1.2'),
    login: { USERNAME: 'plain', PASSWORD: 'toor' },
  },
  {
    command: (host) => ['mariadb-admin', '--no-defaults', '-h', host, '-uadmin', '-padmin', 'version'],
    login: { USERNAME: 'admin', PASSWORD: 'admin' },
  },
  {
    command: (host) => [
      'mariadb-dump',
      '--no-defaults',
      '-h',
      host,
      '-ubackup',
      '-pbackup',
      '--all-databases',
    ],
    login: { USERNAME: 'backup', PASSWORD: 'backup' },
  },
  {
    command: (host) => ['hydra', '-I', '-l', 'sa', '-P', list, '-t', '4', `mysql://${host}`],
    login: { USERNAME: 'sa', PASSWORD: 'root123' },
  },
  { command: (host) => ['medusa', '-h', host, '-u', 'med', '-P', list, '-M', 'mysql'] },
  { command: scan('-sV', '-sC') },
  { command: scan('-sV', '--version-all') },
  {
    command: scan(
      '--script',
      'mysql-info,mysql-enum,mysql-users,mysql-empty-password,mysql-vuln-cve2012-2122',
    ),
  },
  { command: scan('--script', 'ssl-enum-ciphers,ssl-dh-params,ssl-cert-intaddr,tls-alpn') },
  { command: (host) => ['sslscan', '--no-colour', '--starttls-mysql', `${host}:3306`] },
]

/** What a certificate, an address, a clock, a thread, a salt or the time of a scan makes differ. */
const OWN =
  /^(Connected to|Testing SSL server|Subject:|Altnames:|Issuer:|Not valid|\| ?_?ssl-cert:|\| ?_?Subject Alternative|\|_?\s*Not valid|\|_?ssl-date|\|\s+(Thread ID|Salt):|\|_?\s+Statistics:|Nmap |Starting |Host is|Hydra |\[DATA\]|Service detection|ACCOUNT CHECK)/

const HEX_SALT = /^[0-9a-f]{40}$/

/** nmap's scripts end in any order, and list capabilities in any. */
function shown(program: string, text: string, host: string): string {
  const lines = text.split('\n').filter((line) => !OWN.test(line.trim()))
  const inOrder = program === 'nmap' ? lines.map(nmapLine).sort() : lines
  return inOrder.join('\n').replaceAll(host, 'HOST')
}

const nmapLine = (line: string): string =>
  line
    .replace(/^\|_/, '| ')
    .replace(
      /(Some Capabilities: )(.*)/,
      (_, name: string, list: string) => name + list.split(', ').sort().join(),
    )

async function show({ command, login }: Row, product: Product, say: Stage['say']): Promise<void> {
  const [theirs, ours] = await Promise.all(
    [REAL_HOST, HOST].map(async (host) => {
      const [program, ...args] = command(host)
      const { stdout, stderr } = await run(program, args, { patienceMs: 200_000 })
      return shown(program, stdout + stderr, host)
    }),
  )
  const [program, ...args] = command('HOST')
  const line = `${program} ${args.join(' ')}`
  assert.equal(ours, theirs, line)
  const said = ours!.split('\n').find((it) => it !== '') ?? 'nothing'
  if (!login) return say(`${line}: ${ours!.split('\n').length} lines, equal`)
  const { description } = await incidentWith(
    product.console,
    '8001',
    { ...login, SALT: HEX_SALT },
    product.nodeId,
  )
  say(`${line}: ${said}; 8001 with ${Object.values(login).join(' ')}, from ${description.src_host}`)
}

const proof: Proof = {
  title:
    'mariadb, hydra, nmap and sslscan print of the database decoy what they print of MariaDB, and each login is reported',
  packages: ['mariadb-server', 'mariadb-client', 'hydra', 'medusa', 'nmap', 'sslscan'],
  needs: ['mariadbd', 'mariadb', 'nmap'],
  isIsolated: true,
  limitMs: 600_000,
  async prove({ folder, say, skip }) {
    const server = realServers.find(({ service }) => service === 'dbsrv_b')
    assert(server)
    const real = await startRealServer(server, folder)
    const product = await startProduct(join(folder, 'product'), { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const { status, text } = await product.console.post('/device/configure_personality', {
      node_id: product.nodeId,
      personality: 'linux-database',
    })
    assert.equal(status, 200, text)
    await listens(3306)
    const list = join(folder, 'guesses')
    writeFileSync(list, 'root\nroot1\nroot123\ntoor\n')
    for (const row of rows(list)) {
      const [program] = row.command('HOST')
      const absent = missing([program])
      if (absent === undefined) await show(row, product, say)
      else skip(absent)
    }
    await product.console.stop()
    await real.stop()
  },
}

export default proof
