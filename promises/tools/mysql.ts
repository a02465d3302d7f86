// The database decoy as MySQL 5.7 and 8.0, as clients and scanners see it on its real port: what each says, and what is reported.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { HOST, startProduct } from './lib/product.ts'
import { PYTHON, showReported, type ReportedTool } from './lib/reported-tools.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

const SCRAMBLE = /^[0-9a-f]{64}$/
const NATIVE = /^[0-9a-f]{40}$/

/** An event of a login. */
const login = (fields: Readonly<Record<string, unknown>>) => ({ logtype: '8001', fields })

const refused = (user: string, password = 'YES'): RegExp =>
  new RegExp(`Access denied for user '${user}'@'localhost' \\(using password: ${password}\\)`)

const client = (...args: readonly string[]): ReportedTool['command'] => [
  'mariadb',
  ...['--no-defaults', '-h', HOST, '-P', '3306', ...args, '-e', 'SELECT 1'],
]
const nmap = (...args: readonly string[]): ReportedTool['command'] => [
  'nmap',
  '-Pn',
  '-n',
  '-p',
  '3306',
  ...args,
  HOST,
]
const sslscan: ReportedTool['command'] = ['sslscan', '--no-colour', '--starttls-mysql', `${HOST}:3306`]

/** With TLS or without, as a user that has an account or has none. */
const pymysql = (user: string, password: string, tls: boolean): ReportedTool['command'] => [
  PYTHON,
  '-c',
  `
import pymysql
try: pymysql.connect(host='${HOST}', user='${user}', password='${password}', ssl=${tls ? "{'check_hostname': False}" : 'None'}, connect_timeout=9)
except pymysql.err.OperationalError as e: print(e)
`,
]

/** `clear`: the password that each login gives, whatever it is. */
function clients(release: string, list: string, clear: boolean): readonly ReportedTool[] {
  const CLIENT_HASH = clear ? SCRAMBLE : NATIVE
  const sent = (password: string): string => (clear ? password : '<Password not in common list>')
  return [
    {
      command: client('-uroot', '-pletmein'),
      says: [refused('root')],
      incident: login({ USERNAME: 'root', PASSWORD: 'letmein', CLIENT_HASH }),
    },
    {
      command: client('-uroot', '-pq7!Horse', '--ssl'),
      says: [refused('root')],
      incident: login({ PASSWORD: sent('q7!Horse'), CLIENT_HASH }),
    },
    {
      command: client('-uroot', '--skip-password'),
      says: [refused('root', 'NO')],
      incident: login({ USERNAME: 'root', PASSWORD: '', CLIENT_HASH: '' }),
    },
    {
      command: client('-uapp', '-ptoor'),
      says: [refused('app')],
      incident: login({ USERNAME: 'app', PASSWORD: 'toor' }),
    },
    {
      command: pymysql('root', 'Battery9staple', false),
      needs: ['python3-pymysql'],
      says: [refused('root')],
      incident: login({ PASSWORD: sent('Battery9staple'), CLIENT_HASH }),
    },
    {
      command: pymysql('root', 'Staple9battery', true),
      needs: ['python3-pymysql'],
      says: [refused('root')],
      incident: login({ PASSWORD: sent('Staple9battery'), CLIENT_HASH }),
    },
    {
      command: pymysql('shop', 'monkey', true),
      needs: ['python3-pymysql'],
      says: [refused('shop')],
      incident: login({ USERNAME: 'shop', PASSWORD: 'monkey' }),
    },
    {
      command: ['hydra', '-I', '-l', 'root', '-P', list, '-t', '2', `mysql://${HOST}`],
      says: [/1 of 1 target completed, 0 valid password/],
      incident: login({ USERNAME: 'root', PASSWORD: 'root123', CLIENT_HASH }),
    },
    {
      command: nmap('-sV'),
      says: [new RegExp(`3306/tcp open +mysql +MySQL ${release.replaceAll('.', '\\.')}`)],
    },
  ]
}

interface Release {
  readonly version: string
  readonly release: string
  readonly rows: readonly ReportedTool[]
}

const releases = (list: string): readonly Release[] => [
  {
    version: 'mysql-5.7',
    release: '5.7.44',
    rows: [
      ...clients('5.7.44', list, false),
      {
        command: nmap('--script', 'mysql-info'),
        says: [/Version: 5\.7\.44[^]*Auth Plugin Name: mysql_native_password/],
      },
      {
        command: nmap('--script', 'ssl-cert'),
        says: [/commonName=MySQL_Server_5\.7\.44_Auto_Generated_Server_Certificate/],
      },
      { command: sslscan, says: [/TLSv1\.0 +enabled[^]*TLSv1\.2 +enabled\s+TLSv1\.3 +disabled/] },
    ],
  },
  {
    version: 'mysql-8.0',
    release: '8.0.42',
    rows: [
      ...clients('8.0.42', list, true),
      {
        command: client('-uroot', '-pmysql', '--default-auth=mysql_native_password'),
        says: [refused('root')],
        incident: login({ PASSWORD: 'mysql', CLIENT_HASH: SCRAMBLE }),
      },
      {
        command: nmap('--script', 'mysql-info'),
        says: [/Version: 8\.0\.42[^]*Auth Plugin Name: caching_sha2_password/],
      },
      {
        command: nmap('--script', 'ssl-cert'),
        says: [/commonName=MySQL_Server_8\.0\.42_Auto_Generated_Server_Certificate/],
      },
      { command: sslscan, says: [/TLSv1\.1 +disabled\s+TLSv1\.2 +enabled\s+TLSv1\.3 +enabled/] },
    ],
  },
]

/** Resolves once the decoy has taken its settings. */
const greets = (release: string): Promise<true> =>
  until(`port 3306 greets as ${release}`, async () => {
    const socket = connect(3306, HOST)
    try {
      const [greeting] = (await once(socket, 'data')) as [Buffer]
      return greeting.includes(release) || undefined
    } catch {
      return undefined
    } finally {
      socket.destroy()
    }
  })

const proof: Proof = {
  title:
    'mariadb, pymysql, hydra, nmap and sslscan take the database decoy for MySQL 5.7 and 8.0, and each login is reported',
  packages: ['mariadb-client', 'python3-pymysql', 'hydra', 'nmap', 'sslscan'],
  isIsolated: true,
  limitMs: 400_000,
  async prove({ folder, say, skip }) {
    const product = await startProduct(join(folder, 'product'), { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const list = join(folder, 'guesses')
    writeFileSync(list, 'root\nroot1\nroot123\ntoor\n')
    for (const { version, release, rows } of releases(list)) {
      const { status, text } = await product.console.post('/device/configure_personality', {
        node_id: product.nodeId,
        personality: 'linux-database',
        additional_settings: JSON.stringify({ 'dbsrv_b.version': version }),
      })
      assert.equal(status, 200, text)
      await greets(release)
      await showReported(rows, product, { say, skip })
    }
    await product.console.stop()
  },
}

export default proof
