// A share of a hundred files: Samba's, and the fetch of all of them by its client.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { startProgram } from '../../../packages/decoys/test/real-servers.ts'
import { LOAD_CORE } from '../cores.ts'
import { freePort } from '../../../tools/free-port.ts'

const SHARE = 'Documents'
const BYTES = 20_000

/** The same of both shares. */
const SMB_FILES = Array.from({ length: 100 }, (_, at) => `Report ${at + 1}.txt`)

export const smbTree = SMB_FILES.map((name) => ({ name, type: 'file', size: BYTES }))

export const isSambaInstalled = (): boolean =>
  existsSync('/usr/sbin/smbd') && existsSync('/usr/bin/smbclient')

/** Samba with the share, for guests, at a free port. */
export async function startSamba(
  folder: string,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const root = join(folder, 'samba')
  const files = join(root, 'files')
  for (const name of ['private', 'lock', 'state', 'cache', 'run', 'ncalrpc', 'files'])
    mkdirSync(join(root, name), { recursive: true, mode: 0o755 })
  chmodSync(folder, 0o755)
  for (const name of SMB_FILES)
    writeFileSync(join(files, name), 'Figures of the month. '.repeat(BYTES / 20).slice(0, BYTES))
  const port = await freePort()
  const config = join(root, 'smb.conf')
  writeFileSync(
    config,
    `[global]
smb ports = ${port}
interfaces = 127.0.0.1
bind interfaces only = yes
private dir = ${root}/private
lock directory = ${root}/lock
state directory = ${root}/state
cache directory = ${root}/cache
pid directory = ${root}/run
ncalrpc dir = ${root}/ncalrpc
log file = ${root}/log
map to guest = Bad User
disable netbios = yes
load printers = no
[${SHARE}]
path = ${files}
guest ok = yes
read only = yes
`,
  )
  const place = { host: '127.0.0.1', port }
  const args = ['--foreground', '-s', config]
  const running = await startProgram('/usr/sbin/smbd', args, process.env, place)
  return { port, stop: running.stop }
}

/** Lists the share and fetches every file, on one connection; milliseconds. */
export async function fetchShare(folder: string, port: number): Promise<number> {
  const into = join(folder, 'fetched')
  mkdirSync(into, { recursive: true })
  const startedAt = performance.now()
  const child = spawn(
    'taskset',
    [
      ...[
        '-c',
        String(LOAD_CORE),
        'smbclient',
        `//127.0.0.1/${SHARE}`,
        '-p',
        String(port),
        '-U',
        'eve%wrong',
      ],
      ...['-c', `lcd "${into}"; prompt; ls; mget *`],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await once(child, 'close')
  const fetched = said.split('getting file').length - 1
  if (fetched !== SMB_FILES.length)
    throw new Error(`smbclient fetched ${fetched} files: ${said.slice(0, 500)}`)
  return performance.now() - startedAt
}
