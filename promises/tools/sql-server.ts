// The decoy of SQL Server, as the tools of intruders see it on its real ports: what each says, and what is reported.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listens } from './lib/listens.ts'
import { HOST, startProduct } from './lib/product.ts'
import { PYTHON, showReported, type ReportedTool } from './lib/reported-tools.ts'
import type { Proof } from './lib/proof.ts'

const COMPUTER = 'SQL-07'
const NMAP_LIBRARY = '/usr/share/nmap/nselib/mssql.lua'

const sql = (user: string, password: string, more: object = {}) => ({
  logtype: '9001',
  fields: { USERNAME: user, PASSWORD: password, ...more },
})
const windows = (user: string, domain: string, more: object = {}) => ({
  logtype: '9002',
  fields: {
    USERNAME: user,
    DOMAINNAME: domain,
    PASSWORD: '<Sent as NTLM response>',
    RESPONSE: new RegExp(`^${user}::${domain}:[0-9a-f]{16}:[0-9a-f]{32}:0101[0-9a-f]+$`),
    ...more,
  },
})

const tsql = (user: string, password: string, ...more: readonly string[]): ReportedTool['command'] => [
  'tsql',
  ...['-H', HOST, '-p', '1433', '-U', user, '-P', password, ...more],
]
const refused = (user: string): RegExp => new RegExp(`Login failed for user '${user}'\\.`)

const PYMSSQL = `
import pymssql
try: pymssql.connect(server='${HOST}', port=1433, user='reports', password='Summer2026', appname='crm', login_timeout=9)
except pymssql.OperationalError as e: print(e)
`
const IMPACKET = `
from impacket import tds
for domain, user in (('', 'sysadmin'), ('CORP', 'mallory')):
    c = tds.MSSQL('${HOST}', 1433)
    c.connect()
    print(c.login('master', user, 'Hello1', domain, None, domain != ''), c.replies[tds.TDS_ERROR_TOKEN][0]['MsgText'].decode('utf-16le'))
print(tds.MSSQL('${HOST}').getInstances(3))
`

const rows = (folder: string, list: string): readonly ReportedTool[] => [
  {
    command: tsql('sa', 'letmein'),
    says: [new RegExp(`Msg 18456 \\(severity 14, state 1\\) from ${COMPUTER} Line 1`), refused('sa')],
    incident: sql('sa', 'letmein', { APPNAME: 'TSQL', SERVERNAME: HOST, HOSTNAME: /./ }),
  },
  ...['7.0', '7.1', '7.2', '7.3'].map((version): ReportedTool => ({
    command: tsql(`old${version}`, 'letmein'),
    env: { ...process.env, TDSVER: version },
    says: [refused(`old${version}`)],
    incident: sql(`old${version}`, 'letmein'),
  })),
  {
    command: tsql('CORP\\bob', 'Winter2026'),
    says: [/Msg 18452 \(severity 14, state 1\)/, /untrusted domain/],
    incident: windows('bob', 'CORP', { APPNAME: 'TSQL' }),
  },
  {
    command: [PYTHON, '-c', PYMSSQL],
    needs: ['python3-pymssql'],
    says: [/18456/, refused('reports')],
    incident: sql('reports', 'Summer2026', { APPNAME: 'crm' }),
  },
  {
    command: [PYTHON, '-c', IMPACKET],
    needs: ['python3-impacket'],
    says: [refused('sysadmin'), /untrusted domain/, new RegExp(`'ServerName': '${COMPUTER}'.*'tcp': '1433'`)],
    incident: windows('mallory', 'CORP'),
  },
  {
    // As a server of these years, which knows no TDS 4.2.
    command: ['hydra', '-I', '-l', 'backup', '-P', list, '-t', '1', `mssql://${HOST}`],
    says: [/all children were disabled due too many connection errors/],
    incident: sql('backup', 'Guess1'),
  },
  {
    command: ['nmap', '-Pn', '-n', '-sS', '-sU', '-sV', '-p', 'T:1433,U:1434', HOST],
    says: [
      /1433\/tcp open +ms-sql-s Microsoft SQL Server 2019 15\.00\.2000/,
      new RegExp(
        `1434/udp open +ms-sql-m Microsoft SQL Server 15\\.0\\.2000\\.5 \\(ServerName: ${COMPUTER}; TCPPort: 1433\\)`,
      ),
    ],
  },
  {
    command: [
      'nmap',
      ...['--datadir', folder, '-Pn', '-n', '-sV', '-p', '1433'],
      ...['--script', 'default,ms-sql-empty-password', HOST],
    ],
    says: [
      /Microsoft SQL Server 2019 15\.00\.2000\.00; RTM/,
      /Subject: commonName=SSL_Self_Signed_Fallback/,
      new RegExp(`NetBIOS_Computer_Name: ${COMPUTER}`),
      /Product_Version: 10\.0\.17763/,
    ],
    incident: sql('sa', '', { APPNAME: 'Nmap NSE' }),
  },
  {
    command: ['nmap', '-Pn', '-n', '-p', '1433', '--script', '+ssl-enum-ciphers', HOST],
    says: [
      /TLSv1\.0:/,
      /TLSv1\.2:\s+\|\s+ciphers:\s+\|\s+TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384/,
      /cipher preference: server/,
    ],
  },
]

/** The scripts of nmap 7.93 for SQL Server stop at a mistake of their library, at every server: a copy without it. */
function mendNmap(folder: string): string {
  if (!existsSync(NMAP_LIBRARY)) return folder
  mkdirSync(join(folder, 'nselib'), { recursive: true })
  const mended = readFileSync(NMAP_LIBRARY, 'latin1')
    .replace(
      'local status, instances = Helper.GetDiscoveredInstances(host, port)',
      'local instances = Helper.GetDiscoveredInstances(host, port) local status = instances ~= nil',
    )
    .replace('if #output > 0 then', 'if next(output) ~= nil then')
  writeFileSync(join(folder, 'nselib', 'mssql.lua'), mended, 'latin1')
  return folder
}

const proof: Proof = {
  title:
    'tsql, pymssql, impacket, hydra and nmap take the decoy for a SQL Server 2019, and each login is reported',
  packages: ['freetds-bin', 'python3-pymssql', 'python3-impacket', 'hydra', 'nmap'],
  isIsolated: true,
  limitMs: 400_000,
  async prove({ folder, say, skip }) {
    const product = await startProduct(join(folder, 'product'), { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const { status, text } = await product.console.post('/device/configure_personality', {
      node_id: product.nodeId,
      personality: 'windows-sql-server',
      additional_settings: JSON.stringify({ 'smb.netbiosname': COMPUTER }),
    })
    assert.equal(status, 200, text)
    await listens(1433)
    const list = join(folder, 'guesses')
    writeFileSync(list, 'Guess1\nGuess2\nGuess3\n')
    await showReported(rows(mendNmap(join(folder, 'nmap')), list), product, { say, skip })
    await product.console.stop()
  },
}

export default proof
