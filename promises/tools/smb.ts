// The Windows file share, as the tools of intruders see it on its real port: what each says, and what is reported.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { HOST, startProduct, type Product } from './lib/product.ts'
import { missing, type Proof, type Stage } from './lib/proof.ts'

interface Row {
  readonly needs: readonly string[]
  readonly command: readonly [program: string, ...args: readonly string[]]
  /** What the tool must say. */
  readonly says: readonly RegExp[]
  /** What is reported; nothing when the tool does not log in. */
  readonly incident?: { readonly logtype: string; readonly fields: Readonly<Record<string, unknown>> }
}

const SHARE = `//${HOST}/Documents`
const TREE = [
  {
    name: 'Finance',
    type: 'directory',
    children: [
      { name: 'Budget 2026.xlsx', type: 'file', size: 40_000, modified: '2026-03-31' },
      { name: 'Salaries.docx', type: 'file', size: 30_000 },
    ],
  },
  { name: 'readme.txt', type: 'file', size: 700 },
]

/** Smbclient in one dialect: lists, goes down, and fetches a document. */
const inDialect = (option: string, version: string, folder: string): Row => ({
  needs: ['smbclient'],
  command: [
    'smbclient',
    SHARE,
    '-U',
    `eve.${version}%Summer2026`,
    '-m',
    option,
    `--option=client min protocol=${option}`,
    '-c',
    `ls; cd Finance; ls; get "Budget 2026.xlsx" ${join(folder, `${version}.xlsx`)}; put /etc/hostname x`,
  ],
  says: [
    /Finance +D/,
    /Budget 2026\.xlsx +A +40000/,
    /getting file/,
    /NT_STATUS_ACCESS_DENIED opening remote file/,
  ],
  incident: {
    logtype: '5000',
    fields: {
      USER: `eve.${version}`,
      FILENAME: 'Finance/Budget 2026.xlsx',
      AUDITACTION: 'read',
      MODE: 'r',
      DOMAIN: 'WORKGROUP',
      REMOTENAME: /./,
      SHARENAME: 'Documents',
      SMBVER: version,
      SMBARCH: 'Samba',
      LOCALNAME: 'FILESERVER',
      STATUS: 'STATUS_SUCCESS',
    },
  },
})

const shares = (who: string, ...args: string[]): Row => ({
  needs: ['smbclient'],
  command: ['smbclient', '-L', `//${HOST}`, ...args],
  says: [/ADMIN\$ +Disk +Remote Admin/, /IPC\$ +IPC +Remote IPC/, /Documents +Disk +Of all/],
  incident: {
    logtype: '5014',
    fields: { USER: who, SHARENAME: 'IPC$', AUDITACTION: 'connect', STATUS: 'STATUS_SUCCESS' },
  },
})

const IMPACKET = `
from impacket.smbconnection import SMBConnection
import io
c = SMBConnection('*SMBSERVER', '${HOST}')
c.login('mallory', 'x')
print(c.getServerName(), c.getServerOS(), [s['shi1_netname'][:-1] for s in c.listShares()])
print([f.get_longname() for f in c.listPath('Documents', 'Finance/*')])
b = io.BytesIO()
c.getFile('Documents', 'readme.txt', b.write)
print(len(b.getvalue()), 'bytes')
`
const LOOKUP = `
from impacket.dcerpc.v5 import transport, lsad, lsat
from impacket.dcerpc.v5.dtypes import MAXIMUM_ALLOWED
t = transport.DCERPCTransportFactory(r'ncacn_np:${HOST}[\\pipe\\lsarpc]')
t.set_credentials('trudy', 'x')
d = t.get_dce_rpc(); d.connect(); d.bind(lsat.MSRPC_UUID_LSAT)
h = lsad.hLsarOpenPolicy2(d, MAXIMUM_ALLOWED | lsat.POLICY_LOOKUP_NAMES)['PolicyHandle']
r = lsad.hLsarQueryInformationPolicy2(d, h, lsad.POLICY_INFORMATION_CLASS.PolicyAccountDomainInformation)
sid = r['PolicyInformation']['PolicyAccountDomainInfo']['DomainSid'].formatCanonical()
try: r = lsat.hLsarLookupSids(d, h, ['%s-%d' % (sid, i) for i in range(500, 1010)], lsat.LSAP_LOOKUP_LEVEL.LsapLookupWksta)
except Exception as e: r = e.get_packet()
print(sorted(n['Name'] for n in r['TranslatedNames']['Names'] if n['Use'] == 1))
`
/** Guests of a Windows have no signatures, which Samba's tools want of pipes. */
const UNSIGNED = '--option=client ipc signing=auto'
const PYTHON = '/usr/bin/python3'

/** Names of users and groups, and the registry, which guests may not read. */
const PIPE_ROWS: readonly Row[] = [
  {
    needs: ['rpcclient'],
    command: [
      ...(['rpcclient', HOST, '-U', 'trent%x', UNSIGNED, '-c'] as const),
      'lookupnames Administrator Administrators; lookupsids S-1-5-32-544; enumdomgroups; enumalsgroups builtin; querygroup 0x201',
    ],
    says: [
      /Administrator S-1-5-21-\d+-\d+-\d+-500 \(User: 1\)/,
      /S-1-5-32-544 BUILTIN\\Administrators \(4\)/,
      /NT_STATUS_ACCESS_DENIED/,
    ],
    incident: {
      logtype: '5013',
      fields: { USER: 'trent', AUDITACTION: 'LsarLookupNames', STATUS: 'STATUS_SUCCESS', REMOTENAME: /./ },
    },
  },
  {
    needs: ['net'],
    command: ['net', 'rpc', 'registry', 'enumerate', 'HKLM', '-S', HOST, '-U', 'peggy%x', UNSIGNED],
    says: [/NT_STATUS_ACCESS_DENIED/],
    incident: {
      logtype: '5015',
      fields: { USER: 'peggy', STATUS: 'STATUS_ACCESS_DENIED', SMBVER: '3.1.1', REMOTENAME: /./ },
    },
  },
]

const rows = (folder: string): readonly Row[] => [
  shares('ANONYMOUS LOGON', '-N', '-U', '%'),
  shares('guest', '-U', 'guest%'),
  shares('bob', '-U', 'bob%secret'),
  {
    needs: ['smbclient'],
    command: ['smbclient', '-L', `//${HOST}`, '-U', 'Administrator%Summer2026'],
    says: [/NT_STATUS_LOGON_FAILURE/],
    incident: {
      logtype: '5010',
      fields: { USER: 'Administrator', LOGINTYPE: 'NTLMv2', STATUS: 'STATUS_LOGON_FAILURE', SMBVER: '3.1.1' },
    },
  },
  {
    needs: ['smbclient'],
    command: ['smbclient', '-L', `//${HOST}`, '-U', 'old%x', '-m', 'NT1', '--option=client min protocol=NT1'],
    says: [/NT_STATUS_CONNECTION_RESET/],
  },
  inDialect('SMB2_02', '2.0.2', folder),
  inDialect('SMB2_10', '2.1', folder),
  inDialect('SMB3_00', '3.0', folder),
  inDialect('SMB3_02', '3.0.2', folder),
  inDialect('SMB3_11', '3.1.1', folder),
  {
    needs: ['rpcclient'],
    command: ['rpcclient', HOST, '-U', '%', '-N', '-c', 'srvinfo; enumdomusers'],
    says: [/FILESERVER +Wk Sv NT SNT/, /os version\s+:\s+10\.0/, /NT_STATUS_ACCESS_DENIED/],
    incident: {
      logtype: '5013',
      fields: { USER: 'ANONYMOUS LOGON', AUDITACTION: 'SamrConnect5', STATUS: 'STATUS_ACCESS_DENIED' },
    },
  },
  ...PIPE_ROWS,
  {
    needs: ['python3-impacket'],
    command: [PYTHON, '-c', IMPACKET],
    says: [/FILESERVER Windows 10\.0 Build 17763/, /'Budget 2026\.xlsx'/, /700 bytes/],
    incident: {
      logtype: '5000',
      fields: { USER: 'mallory', FILENAME: 'readme.txt', AUDITACTION: 'read', OFFSET: 0, SIZE: 700 },
    },
  },
  {
    needs: ['python3-impacket'],
    command: [PYTHON, '-c', LOOKUP],
    says: [/'Administrator'/, /'Guest'/, /'\w+\.\w+'/],
    incident: {
      logtype: '5013',
      fields: { USER: 'trudy', AUDITACTION: 'LsarLookupSids', STATUS: 'STATUS_SUCCESS' },
    },
  },
  {
    needs: ['smbmap'],
    command: ['smbmap', '-H', HOST, '-u', 'oscar', '-p', 'x'],
    says: [/Guest session/, /ADMIN\$\s+NO ACCESS/, /IPC\$\s+READ ONLY/, /Documents\s+READ ONLY\s+Of all/],
    incident: {
      logtype: '5014',
      fields: { USER: 'oscar', SHARENAME: 'ADMIN$', STATUS: 'STATUS_ACCESS_DENIED' },
    },
  },
  {
    needs: ['nmap'],
    command: ['nmap', '-Pn', '-n', '-sV', '-sC', '-p', '445', HOST],
    says: [/445\/tcp open +microsoft-ds\?/, /Message signing enabled but not required/, /start_date: N\/A/],
  },
  {
    needs: ['nmap'],
    command: ['nmap', '-Pn', '-n', '-sV', '-p', '139', '--script', 'nbstat', HOST],
    says: [/139\/tcp open +netbios-ssn +Microsoft Windows netbios-ssn/, /NetBIOS name: FILESERVER/],
  },
  {
    needs: ['nbtscan'],
    command: ['nbtscan', HOST],
    says: [/FILESERVER +<server>/],
  },
  {
    needs: ['nmap'],
    command: ['nmap', '-Pn', '-n', '-p', '445', '--script', 'smb-protocols,smb-os-discovery', HOST],
    says: [/202\n/, /210\n/, /300\n/, /302\n/, /311\n/],
  },
]

async function show(
  { needs, command, says, incident }: Row,
  product: Product,
  say: Stage['say'],
): Promise<void> {
  const [program, ...args] = command
  const { stdout, stderr } = await run(program, args, { patienceMs: 60_000 })
  const said = stdout + stderr
  for (const expected of says) assert.match(said, expected, `${program} said: ${said}`)
  const [text = ''] = says[0]?.exec(said) ?? []
  const line = `${needs.join().replace(/.*\//, '').padEnd(10)} ${text.replace(/\s+/g, ' ').trim().padEnd(42)}`
  if (!incident) return say(`${line} no login, no incident`)
  const { logtype, fields } = incident
  const { description } = await incidentWith(product.console, logtype, fields, product.nodeId)
  say(`${line} ${logtype}, ${Object.keys(fields).length} keys right, from ${description.src_host}`)
}

/** The line of a login is what its password makes: an answer that anybody can compute. */
async function checkResponse(product: Product, say: Stage['say']): Promise<void> {
  const wanted = { USER: 'Administrator', LOGINTYPE: 'NTLMv2' }
  const { description } = await incidentWith(product.console, '5010', wanted, product.nodeId)
  const line = description.events.find((event) => event['USER'] === 'Administrator')?.['RESPONSE']
  assert.match(String(line), /^Administrator::WORKGROUP:[0-9a-f]{16}:[0-9a-f]{32}:0101[0-9a-f]+$/)
  say(`the response of Administrator: ${String(line).slice(0, 80)}…`)
}

const proof: Proof = {
  title:
    'smbclient, rpcclient, smbmap, impacket and nmap take the share for a Windows, and each touch is reported',
  packages: ['smbclient', 'samba-common-bin', 'smbmap', 'python3-impacket', 'nmap', 'nbtscan'],
  isIsolated: true,
  limitMs: 300_000,
  async prove({ folder, say, skip }) {
    const product = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const { status, text } = await product.console.post('/device/configure_personality', {
      node_id: product.nodeId,
      personality: 'windows-file-server',
      additional_settings: JSON.stringify({
        'smb.filetree': TREE,
        'smb.netbiosname': 'FILESERVER',
        'smb.sharecomment': 'Of all',
      }),
    })
    assert.equal(status, 200, text)
    await listens(445)
    for (const row of rows(folder)) {
      const absent = missing(row.needs)
      if (absent === undefined) await show(row, product, say)
      else skip(`${absent}: ${row.command.join(' ')}`)
    }
    const documents = ['2.0.2', '2.1', '3.0', '3.0.2', '3.1.1'].map((version) =>
      readFileSync(join(folder, `${version}.xlsx`)),
    )
    assert.ok(documents.every((document) => document.equals(documents[0]!) && document.length === 40_000))
    say('the workbook has the same 40000 bytes in each dialect')
    await checkResponse(product, say)
    await product.console.stop()
  },
}

export default proof
