// The decoy ssh next to Debian's OpenSSH: auditors, scanners, guessers and libraries print the same, but for keys.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf, realServers } from '../../packages/decoys/test/real-servers.ts'
import { compareTools, type ComparedTool, type Mask } from './lib/side-by-side.ts'
import type { Proof } from './lib/proof.ts'

const FINGERPRINTS: readonly Mask[] = [
  { name: 'host keys', pattern: /\b(?:[0-9a-f]{2}:){15}[0-9a-f]{2}\b/ },
  { name: 'host keys', pattern: /(?<=\s)[0-9a-f]{32}(?= \()/ },
  { name: 'host keys', pattern: /SHA256:[\w+/=]+/ },
  { name: 'host keys', pattern: /\bAAAA[\w+/=]+/ },
]
const scan = (says: RegExp, ...args: readonly string[]): ComparedTool => ({
  command: (host) => ['nmap', '-Pn', '-n', '-p', '22', ...args, host],
  says,
  masks: FINGERPRINTS,
  isUnordered: true,
})

/** Each tries to log in, as a user of its own. */
const login = (
  USERNAME: string,
  fields: Readonly<Record<string, unknown>>,
  says: RegExp,
  command: ComparedTool['command'],
): ComparedTool => ({
  command,
  says,
  masks: FINGERPRINTS,
  incident: { logtype: '4002', fields: { USERNAME, LOCALVERSION: /^SSH-2\.0-OpenSSH_9\.2p1 /, ...fields } },
})

const CLIENT = [
  '-vv',
  '-F',
  '/dev/null',
  '-o',
  'StrictHostKeyChecking=no',
  '-o',
  'UserKnownHostsFile=/dev/null',
]
const LIBRARY = join(import.meta.dirname, './lib/login-by-ssh.py')

const library = (name: 'paramiko' | 'asyncssh'): ComparedTool => ({
  ...login(
    name,
    { PASSWORD: 'toor', REMOTEVERSION: new RegExp(name, 'i') },
    /.*(?:AuthenticationException|PermissionDenied).*/,
    (host) => [...['/usr/bin/python3', LIBRARY, name, host, name, 'toor']],
  ),
  needs: [`python3-${name}`],
})

function tools(folder: string): readonly ComparedTool[] {
  const [list, key] = [join(folder, 'guesses'), join(folder, 'stolen')]
  writeFileSync(list, ['root', 'toor', 'admin123', ''].join('\n'))
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'stolen', '-f', key])
  return [
    scan(/OpenSSH 9\.2p1 Debian.*/, '-sV', '-sC'),
    scan(
      /.*sntrup761.*/,
      '--script',
      'ssh2-enum-algos,ssh-auth-methods,ssh-hostkey,sshv1',
      '--script-args',
      'ssh_hostkey=full',
    ),
    { command: (host) => ['ssh-audit', '-n', '-v', host], says: /\(gen\) banner.*/, masks: FINGERPRINTS },
    {
      command: (host) => ['ssh-keyscan', host],
      says: /HOST ssh-ed25519/,
      masks: FINGERPRINTS,
      isUnordered: true,
    },
    login(
      'root',
      { PASSWORD: 'toor', REMOTEVERSION: /^SSH-2\.0-OpenSSH/ },
      /Permission denied, please try again.*/,
      (host) => [
        ...['sshpass', '-p', 'toor', 'ssh', ...CLIENT, '-o', 'PubkeyAuthentication=no', `root@${host}`],
      ],
    ),
    login(
      'deploy',
      { KEY: /^SHA256:\S+ ssh-ed25519$/ },
      /.*Permission denied \(publickey,password\).*/,
      (host) => [
        ...['ssh', ...CLIENT, '-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-i', key, `deploy@${host}`],
      ],
    ),
    login('hydra', { PASSWORD: 'admin123' }, /0 valid password found/, (host) => [
      ...['hydra', '-I', '-l', 'hydra', '-P', list, '-t', '1', `ssh://${host}`],
    ]),
    login('medusa', { PASSWORD: 'admin123' }, /ACCOUNT CHECK: .*admin123.*/, (host) => [
      ...['medusa', '-h', host, '-u', 'medusa', '-P', list, '-M', 'ssh'],
    ]),
    login('ncrack', { PASSWORD: 'admin123' }, /Ncrack finished\./, (host) => [
      ...['ncrack', '-g', 'cl=1,at=1', '--user', 'ncrack', '-P', list, `ssh://${host}:22`],
    ]),
    library('paramiko'),
    library('asyncssh'),
  ]
}

const server = realServers.filter(({ service }) => service === 'ssh')

const proof: Proof = {
  title:
    'ssh-audit, nmap, ssh, hydra, medusa, ncrack, paramiko and asyncssh print of the decoy ssh what they print of OpenSSH',
  packages: server.flatMap(packagesOf),
  needs: ['nmap', 'ssh-audit', 'ssh', 'ssh-keyscan'],
  uses: ['sshpass', 'hydra', 'medusa', 'ncrack', 'python3-paramiko', 'python3-asyncssh'],
  isIsolated: true,
  limitMs: 600_000,
  prove: (stage) => compareTools({ service: 'ssh', tools }, stage),
}

export default proof
