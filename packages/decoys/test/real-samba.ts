// Debian's Samba with the share, the users and the name of our decoy.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { descriptors } from '../src/descriptors.gen.ts'
import { unixGroups, unixUsers } from '../src/services/smb/products/samba/accounts.ts'
import { sambaMachine } from '../src/services/smb/products/samba/machine.ts'
import { fileContent } from '../src/services/smb/protocol/tree/content/content.ts'
import type { TreeNode } from '../src/services/smb/protocol/tree/tree.ts'
import { fileTime } from '../src/windows/filetime.ts'
import { defaultSettings } from './default-settings.ts'
import { REAL_HOST, type RealServer } from './real-server.ts'
import { deriveFrom, SERVED_BIRD } from './session-context.ts'

const MODE = { 'smb.enabled': true, 'smb.mode': 'samba' }
const derive = deriveFrom(SERVED_BIRD)
/** The machine that the decoy of `serve.ts` is in this mode. */
export const servedMachine = () =>
  sambaMachine(defaultSettings(descriptors, { 'device.name': 'Bird', ...MODE }), derive)

const SHARE = '/srv/samba/documents'
/** Of a second: FILETIME counts tenths of a microsecond. */
const TICKS = 10_000_000n
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Lines that make the share's files: the newest of a folder is listed first in a file system of memory. */
function linesFor(node: TreeNode, from: string, own: number): string[] {
  const place = quoted(`${SHARE}/${node.path.replaceAll('\\', '/')}`)
  const ticks = node.times.writtenAt - fileTime(0)
  const date = `touch -d @${ticks / TICKS}.${String(ticks % TICKS).padStart(7, '0')} ${place}`
  const lines =
    node.type === 'file'
      ? [`cp ${quoted(join(from, String(node.id)))} ${place}`, `chmod 644 ${place}`]
      : [
          `mkdir -p ${place}`,
          `chmod 755 ${place}`,
          ...node.children.toReversed().flatMap((child) => linesFor(child, from, own)),
        ]
  return [...lines, `chown ${own}:${own} ${place}`, date]
}

function writeContents(node: TreeNode, folder: string): void {
  if (node.type === 'directory') return node.children.forEach((child) => writeContents(child, folder))
  const content = fileContent(node, derive).read(0, node.size)
  const bytes = Buffer.alloc(content.length)
  content.copy(bytes, 0)
  writeFileSync(join(folder, String(node.id)), bytes)
}

const FOLDERS = ['private', 'lock', 'state', 'cache', 'pid', 'ncalrpc', 'log', 'files']

/** With folders of its own in place of those of the machine, and the machine's names and users in place of ours. */
function prepare(folder: string) {
  const machine = servedMachine()
  for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true })
  writeContents(machine.tree, join(folder, 'files'))
  const conf = join(folder, 'smb.conf')
  writeFileSync(
    conf,
    `${readFileSync('/etc/samba/smb.conf', 'utf8').replace(/^ *log file =.*$/m, '')}
[global]
interfaces = ${REAL_HOST}/8
bind interfaces only = yes
private dir = ${join(folder, 'private')}
lock directory = ${join(folder, 'lock')}
state directory = ${join(folder, 'state')}
cache directory = ${join(folder, 'cache')}
pid directory = ${join(folder, 'pid')}
ncalrpc dir = ${join(folder, 'ncalrpc')}
log file = ${join(folder, 'log', 'log.%m')}
[${machine.share.name}]
path = ${SHARE}
guest ok = yes
`,
  )
  const passwd = join(folder, 'passwd')
  const users = Object.entries(unixUsers(machine))
  const homeOf = (name: string): string => (name === 'nobody' ? '/nonexistent' : `/home/${name}`)
  writeFileSync(
    passwd,
    users.map(([name, id]) => `${name}:x:${id}:${id}::${homeOf(name)}:/bin/sh\n`).join(''),
  )
  const group = join(folder, 'group')
  const groups = Object.entries(unixGroups(machine))
  writeFileSync(group, groups.map(([name, id]) => `${name}:x:${id}:\n`).join(''))
  const hosts = join(folder, 'hosts')
  // As Debian's installer writes it: Samba looks for its own name there.
  writeFileSync(hosts, `127.0.0.1 localhost\n127.0.1.1 ${machine.hostName}\n`)
  const lines = [
    'set -e',
    `mount --bind ${hosts} /etc/hosts`,
    `hostname ${machine.hostName}`,
    `mount --bind ${passwd} /etc/passwd`,
    `mount --bind ${group} /etc/group`,
    'mount -t tmpfs -o mode=755 tmpfs /srv',
    `mkdir -p ${SHARE}`,
    ...linesFor(machine.tree, join(folder, 'files'), machine.owner),
    `touch -d @${machine.installedAt / 1_000} ${dirname(SHARE)}`,
    ...machine.users.map(
      (user) =>
        `p=$(head -c 12 /dev/urandom | base64); printf '%s\\n%s\\n' "$p" "$p" | smbpasswd -c ${conf} -a -s ${user} > /dev/null`,
    ),
    `net setlocalsid S-1-5-${machine.sid.join('-')} -s ${conf}`,
    `exec smbd --foreground -s ${conf}`,
  ]
  const script = join(folder, 'start.sh')
  writeFileSync(script, lines.join('\n'))
  return { program: '/usr/bin/unshare', args: ['--uts', '--mount', 'sh', script] }
}

export const realSamba: RealServer = {
  service: 'smb',
  settings: ['smb.mode=samba'],
  lab: 'smb/samba',
  isNotTried: 'smbd bounds no connections and waits for a week, and each of its answers has the time in it',
  debian: 'samba',
  program: '/usr/sbin/smbd',
  port: 445,
  prepare,
}
