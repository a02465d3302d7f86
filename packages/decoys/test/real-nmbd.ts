// Debian's nmbd with the name of our decoy, at an address of its own: it serves no loopback. As root, in a network namespace of
// the caller's; nmbd itself is in another.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { servedMachine } from './real-samba.ts'

export const NMBD_HOST = '10.77.9.2'
/** Of who asks it. */
export const CLIENT_HOST = '10.77.9.1'
const FOLDERS = [
  'private dir',
  'lock directory',
  'state directory',
  'cache directory',
  'pid directory',
  'ncalrpc dir',
]
/** Elections take half a minute. */
const PATIENCE_MS = 120_000

export interface RunningNmbd {
  stop(): Promise<void>
}

/** Resolves once it is the master browser of its workgroup. */
export async function startNmbd(folder: string): Promise<RunningNmbd> {
  const sh = (line: string): string => execFileSync('sh', ['-c', line], { encoding: 'utf8' })
  const place = (name: string): string => join(folder, name.replaceAll(' ', '-'))
  for (const name of FOLDERS) mkdirSync(place(name), { recursive: true })
  const settings = [
    '[global]',
    `interfaces = ${NMBD_HOST}/24`,
    'bind interfaces only = yes',
    `log file = ${place('log')}`,
    ...FOLDERS.map((name) => `${name} = ${place(name)}`),
  ]
  const conf = place('smb.conf')
  sh(`sed 's/^ *log file =.*$//' /etc/samba/smb.conf > ${conf}`)
  sh(`printf '%s\\n' ${settings.map((line) => `'${line}'`).join(' ')} >> ${conf}`)
  // It binds every address of its namespace, so that ours cannot stand in the same one.
  const start = [
    `hostname ${servedMachine().hostName}`,
    'while ! ip link set names1 up 2> /dev/null; do sleep 0.05; done',
    `ip addr add ${NMBD_HOST}/24 brd + dev names1`,
    `exec nmbd --foreground -s ${conf}`,
  ].join('; ')
  const nmbd = spawn('unshare', ['--net', '--uts', 'sh', '-c', start], { stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    nmbd.kill()
    if (nmbd.exitCode === null && nmbd.signalCode === null) await once(nmbd, 'close')
  }
  const namespaceOf = (process: number | 'self'): string => readlinkSync(`/proc/${process}/ns/net`)
  while (namespaceOf(nmbd.pid ?? 'self') === namespaceOf('self')) await sleep(20)
  sh('ip link set lo up; ip link add names0 type veth peer name names1')
  sh(
    `ip link set names1 netns ${nmbd.pid}; ip addr add ${CLIENT_HOST}/24 brd + dev names0; ip link set names0 up`,
  )
  const endsAt = performance.now() + PATIENCE_MS
  while (!sh(`nmblookup -s ${conf} -A ${NMBD_HOST} || true`).includes('<1d>')) {
    if (performance.now() < endsAt) await sleep(500)
    else {
      await stop()
      throw new Error(`nmbd is not the master browser of its workgroup after ${PATIENCE_MS / 1_000} s`)
    }
  }
  return { stop }
}
