// The Samba mode next to the real Samba of Debian 12: the tools of intruders say the same of both.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sceneGrammar } from '../../packages/decoys/lab/smb/samba/grammar.ts'
import { compareFresh } from '../../packages/decoys/test/fresh.ts'
import { OUR_HOST, REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { NMBD_HOST, startNmbd } from '../../packages/decoys/test/real-nmbd.ts'
import { realSamba } from '../../packages/decoys/test/real-samba.ts'
import type { CountCrashes } from '../../packages/decoys/test/crash-watch.ts'
import { isInstalled, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { startDecoys } from '../../packages/decoys/test/start-decoys.ts'
import { run } from './lib/command.ts'
import { missing, type Proof, type Stage } from './lib/proof.ts'

interface Row {
  /** HOST and FOLDER stand for the server's address, and for a folder of its own. */
  readonly command: readonly [program: string, ...args: readonly string[]]
  readonly says: RegExp
}

const FILES = 'ls; cd Sales; ls; get Contacts.csv FOLDER.csv; put /etc/hostname x; del Contacts.csv'
const inDialect = (dialect: string): Row => ({
  command: [
    ...(['smbclient', '//HOST/Documents', '-U', 'bob%x', '-m', dialect] as const),
    ...[`--option=client min protocol=${dialect}`, '-c', FILES],
  ],
  says: /getting file/,
})
const SCRIPTS = 'smb-protocols,smb2-security-mode,smb2-time,smb2-capabilities'

const ROWS: readonly Row[] = [
  { command: ['smbclient', '-L', '//HOST', '-N'], says: /IPC Service \(Samba 4\.17\.12-Debian\)/ },
  { command: ['smbclient', '-L', '//HOST', '-U', 'bob%x'], says: /Documents/ },
  ...['SMB2_02', 'SMB2_10', 'SMB3_00', 'SMB3_02', 'SMB3_11'].map(inDialect),
  {
    command: [
      'smbclient',
      '//HOST/Documents',
      '-U',
      'bob%x',
      '-c',
      'showacls; ls; mkdir y; rename readme.txt z',
    ],
    says: /Owner SID/,
  },
  {
    command: ['smbclient', '-L', '//HOST', '-U', 'bob%x', '-m', 'NT1', '--option=client min protocol=NT1'],
    says: /NT_STATUS/,
  },
  {
    command: [
      'rpcclient',
      'HOST',
      '-U',
      '%',
      '-N',
      '-c',
      'srvinfo; enumdomusers; netshareenumall; getusername',
    ],
    says: /os version/,
  },
  ...[
    'lookupnames root "Domain Users" Administrators Everyone nobody admin',
    'lookupsids S-1-5-32-544 S-1-22-1-1000 S-1-22-1-1001 S-1-22-2-27 S-1-1-0 S-1-5-18',
    'enumdomgroups; enumalsgroups builtin; enumalsgroups domain; querydispinfo',
    'querygroup 0x201; querygroupmem 0x201; queryusergroups 0x3e8; querydominfo',
    'queryuser 0x3e8; getdompwinfo; lookupdomain Builtin; samlookuprids domain 0x3e8 0x1f5 0x201',
    'samlookupnames builtin Administrators Users; lsaquery; enumdomains',
    'enumprivs; lsaenumsid; enumtrust; dsroledominfo; lsaquerysecobj',
    'lsaenumacctrights S-1-5-32-544; lsaenumacctrights S-1-1-0; lsaenumacctrights S-1-5-11',
    'getdispname SeBackupPrivilege; lsalookupprivvalue SeDiskOperatorPrivilege; lsalookupprivvalue nope',
    'lsaaddacctrights S-1-1-0 SeBackupPrivilege; lsacreateaccount S-1-1-0; lsaenumprivsaccount S-1-5-32-544',
  ].map((commands): Row => ({ command: ['rpcclient', 'HOST', '-U', '%', '-N', '-c', commands], says: /\w/ })),
  { command: ['smbmap', '-H', 'HOST', '-u', 'bob', '-p', 'x'], says: /Documents\s+READ ONLY/ },
  { command: ['nmap', '-Pn', '-n', '-sV', '-p', '139,445', 'HOST'], says: /Samba smbd/ },
  { command: ['nmap', '-Pn', '-n', '-p', '445', '--script', SCRIPTS, 'HOST'], says: /not required/ },
]

/** Of nmbd. */
const NAME_ROWS: readonly Row[] = [
  { command: ['nmblookup', '-A', 'HOST'], says: /<1d> - +B <ACTIVE>/ },
  ...['WORKGROUP', 'WORKGROUP#1e', 'NOPE', '*', '__SAMBA__'].map((name): Row => ({
    command: ['nmblookup', '-U', 'HOST', name],
    says: /HOST|failed to find/,
  })),
  {
    command: ['nmap', '-Pn', '-n', '-sU', '-sV', '-p', '137', '--script', 'nbstat', 'HOST'],
    says: /Samba nmbd netbios-ns/,
  },
  { command: ['nmap', '-Pn', '-n', '-sU', '-p', '138', 'HOST'], says: /138\/udp open\|filtered/ },
]

/** Speed, sizes and dates of the disk, when passwords were set, the name of an address, and the order of accounts in a hash. */
const hidden = (text: string): string =>
  text
    .replace(/\(.*KiloBytes\/sec\)/g, '')
    .replace(/\d+ blocks of size 1024\. \d+ blocks available/g, '')
    .replace(/^(Starting|Nmap|Host is up|MAC Address|\| +date:).*$/gm, '')
    .replace(/\[[\\|/-]\] Working on it\.\.\./g, '')
    .replace(/Name: \w+/g, '')
    .replace(/index: 0x\d+/g, '')
    .replace(/^\s*(Password .* Time|Sequence No)\s*:.*$/gm, '')
    .replace(/[ \t\r]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort()
    .join('\n')

/** What the tools say of one server, they say of the other. */
async function compare(
  rows: readonly Row[],
  realHost: string,
  folder: string,
  { say, skip }: Stage,
): Promise<void> {
  for (const row of rows) {
    const absent = missing([row.command[0]])
    if (absent !== undefined) {
      skip(`${absent}: ${row.command.join(' ')}`)
      continue
    }
    const theirs = await ask(row, realHost, folder)
    assert.match(theirs, row.says)
    assert.equal(await ask(row, OUR_HOST, folder), theirs, row.command.join(' '))
    say(`${row.command.slice(0, 7).join(' ')}: the same ${theirs.split('\n').length} lines`)
  }
}

async function ask({ command }: Row, host: string, folder: string): Promise<string> {
  const own = (text: string): string => text.replaceAll('HOST', host).replaceAll('FOLDER', join(folder, host))
  const [program, ...args] = command.map(own)
  const { stdout, stderr } = await run(program ?? '', args, { patienceMs: 60_000 })
  return hidden((stdout + stderr).replaceAll(join(folder, host), 'FOLDER').replaceAll(host, 'HOST'))
}

/** New ones each time, of two or three connections that open the same files. */
const SCENES = 50
/** In percent. Who is answered first when several wait is at times a matter of chance, or of what the README says. */
const GOAL = 96

/** What several connections see of each other, they see at both servers. */
async function compareScenes(crashes: CountCrashes, { say }: Stage): Promise<void> {
  const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
  const { port } = realSamba
  const [real, ours] = [REAL_HOST, OUR_HOST].map((host) => ({ host, port }))
  const found = await compareFresh({
    grammar: sceneGrammar,
    seed,
    count: SCENES,
    real: real!,
    ours: ours!,
    crashes,
  })
  for (const different of found.differences)
    say(`${different.probe}\n    real: ${different.real}\n    ours: ${different.ours}`)
  say(`${found.equal} of ${found.total} scenes of several connections are equal, seed ${seed}`)
  assert.deepEqual(found.crashes, [])
  assert.ok(found.equal >= (found.total * GOAL) / 100, 'Several connections see something else')
}

const proof: Proof = {
  title:
    'smbclient, rpcclient, nmblookup, smbmap and nmap say of the Samba mode what they say of the real Samba, and several connections see the same of each other',
  packages: ['samba', 'smbclient', 'smbmap', 'nmap'],
  needs: ['smbclient', 'rpcclient'],
  isIsolated: true,
  limitMs: 400_000,
  async prove(stage) {
    const { folder, say, skip } = stage
    if (!isInstalled(realSamba)) return skip('samba is not installed')
    const real = await startRealServer(realSamba, folder)
    const ours = await startDecoys(['smb.enabled=true', ...(realSamba.settings ?? [])], realSamba.port)
    try {
      // The programs behind the real one's pipes start when they are first asked for.
      for (const row of ROWS.slice(0, 1)) await ask(row, REAL_HOST, folder)
      await compare(ROWS, REAL_HOST, folder, stage)
      await compareScenes(ours.crashes, stage)
      const nmbd = await startNmbd(join(folder, 'nmbd'))
      try {
        await compare(NAME_ROWS, NMBD_HOST, folder, stage)
      } finally {
        await nmbd.stop()
      }
      const [one, other] = [REAL_HOST, OUR_HOST].map((host) => readFileSync(join(folder, `${host}.csv`)))
      assert.ok(one!.equals(other!))
      say(`the file has the same ${one!.length} bytes`)
    } finally {
      await ours.stop()
      await real.stop()
    }
  },
}

export default proof
