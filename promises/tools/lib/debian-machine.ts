// A bare Debian in namespaces of its own: packages are installed with dpkg, and services started as their units say. There is no
// systemd in it, since that needs a machine: a `systemctl` of the proof hands its orders to it. `systemd-analyze` judges the units in
// packages/cli/test/package.test.ts.
import { spawn, type ChildProcess } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { run, type Ran } from './command.ts'
import { readUnit } from './unit.ts'
import { until } from './until.ts'

const SUITE = 'bookworm'
const BOOTSTRAP_MS = 400_000
const TYPED_MS = 180_000

interface Service {
  said(): string
  /** SIGTERM, and waits for the end; answers the exit code. */
  stop(): Promise<number | null>
}

export interface DebianMachine {
  readonly root: string
  /** In its network, with the programs of this machine. */
  run(program: string, args: readonly string[], patienceMs?: number): Promise<Ran>
  /** What root types in /tmp: answers what was printed; throws with that when a command fails. */
  type(commands: string): Promise<string>
  /** Puts a file into /tmp. */
  bring(file: string): void
  /** What a service printed since its last start. */
  journal(name: string): string
  close(): Promise<void>
}

/** Debian's smallest system with some packages, from its mirror. */
export async function bootstrap(root: string, packages: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(
    'debootstrap',
    ['--variant=minbase', `--include=${packages.join(',')}`, SUITE, root],
    {
      patienceMs: BOOTSTRAP_MS,
    },
  )
  if (code !== 0) throw new Error(`debootstrap ended with ${code}: ${stderr}${stdout.slice(-500)}`)
}

/** A machine with this root. `link`: its address, and the machine at the other end of its only cable, whose namespace exists. */
export async function startMachine(
  root: string,
  link: { readonly address: string; readonly peer?: { readonly pid: number; readonly address: string } },
): Promise<DebianMachine & { readonly pid: number }> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo here; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve())
    holder.once('error', reject)
  })
  const pid = holder.pid ?? 0
  const within = ['nsenter', '--target', String(pid), '--net']
  const inNet = (program: string, args: readonly string[], patienceMs?: number): Promise<Ran> =>
    run('nsenter', [...within.slice(1), program, ...args], patienceMs === undefined ? {} : { patienceMs })
  await checked(inNet('ip', ['link', 'set', 'lo', 'up']))
  if (link.peer) {
    const other = String(link.peer.pid)
    await checked(
      inNet('ip', ['link', 'add', 'cable', 'type', 'veth', 'peer', 'name', 'cable', 'netns', other]),
    )
    for (const [target, address] of [
      [String(pid), link.address],
      [other, link.peer.address],
    ] as const) {
      const there = ['--target', target, '--net', 'ip']
      await checked(run('nsenter', [...there, 'address', 'add', address, 'dev', 'cable']))
      await checked(run('nsenter', [...there, 'link', 'set', 'cable', 'up']))
    }
  }
  const type = (commands: string): Promise<string> => {
    const shell = ['env', '-i', `PATH=${PATH}`, 'sh', '-ec', `cd /tmp\n${commands}`]
    return checked(inNet('unshare', ['--mount', 'sh', '-c', VISIT, root, ...shell], TYPED_MS))
  }
  const services = serveOrders(root, (name) => startService(root, within, `${name}.service`))
  return {
    pid,
    root,
    run: inNet,
    type: (commands) => Promise.race([type(commands), services.failed]),
    bring: (file) => copyFileSync(file, join(root, 'tmp', basename(file))),
    journal: services.journal,
    async close() {
      await services.close()
      holder.kill()
    },
  }
}

const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What is typed sees processes, as on any machine. */
const VISIT = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'

/** As far as packages and pages call it. An order waits until it is carried out, as one to a service with Type=notify does. */
const SYSTEMCTL = `#!/bin/sh
for word; do case $word in -*) ;; *) if [ -z "$verb" ]; then verb=$word; else unit=\${word%.service}; fi ;; esac; done
case $verb in
  is-enabled) [ -e "/etc/systemd/system/multi-user.target.wants/$unit.service" ] && echo enabled ;;
  is-active | status) grep -x "$unit" /run/active ;;
  start | stop | restart)
    echo "$verb $unit" > /run/order
    while [ -s /run/order ]; do sleep 0.1; done
    ;;
esac
`
const JOURNALCTL = `#!/bin/sh
cat "/run/journal-$2"
`

interface Services {
  journal(name: string): string
  /** Rejects when an order cannot be carried out. */
  readonly failed: Promise<never>
  close(): Promise<void>
}

/** Carries out what the \`systemctl\` of the machine is ordered. */
function serveOrders(root: string, start: (name: string) => Service): Services {
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
  writeFileSync(join(root, 'usr/local/bin/systemctl'), SYSTEMCTL, { mode: 0o755 })
  writeFileSync(join(root, 'usr/local/bin/journalctl'), JOURNALCTL, { mode: 0o755 })
  const order = join(root, 'run/order')
  writeFileSync(order, '')
  const services = new Map<string, Service>()
  const stop = async (name: string): Promise<void> => {
    const service = services.get(name)
    services.delete(name)
    const code = await service?.stop()
    if (service && code !== 0) throw new Error(`${name} ended with ${code}: ${service.said()}`)
  }
  const begin = async (name: string): Promise<void> => {
    const service = start(name)
    services.set(name, service)
    await until(`${name} serves`, () => SERVES.test(service.said()) || undefined, START_MS).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${service.said()}`)
      },
    )
  }
  let isOpen = true
  const writeJournals = (): void => {
    for (const [name, service] of services) writeFileSync(join(root, `run/journal-${name}`), service.said())
  }
  const carryOut = async (): Promise<void> => {
    writeJournals()
    const [verb, name = ''] = readFileSync(order, 'utf8').trim().split(' ')
    if (!name) return
    if (verb !== 'start') await stop(name)
    if (verb !== 'stop') await begin(name)
    // What is typed next may read it.
    writeJournals()
    writeFileSync(join(root, 'run/active'), [...services.keys()].join('\n'))
    writeFileSync(order, '')
  }
  const loop = async (): Promise<void> => {
    while (isOpen) {
      await carryOut()
      await wait(LOOK_MS)
    }
  }
  const looping = loop()
  // Its end after close() is nobody's failure.
  const failed = looping.then(() => new Promise<never>(() => undefined))
  failed.catch(() => undefined)
  return {
    failed,
    journal: (name) => services.get(name)?.said() ?? '',
    async close() {
      isOpen = false
      await looping.catch(() => undefined)
      for (const name of services.keys()) await stop(name).catch(() => undefined)
    },
  }
}

/** What the console or a Bird prints when it has begun. */
const SERVES = /^ {2}Data |^Bird \S+ is running|Waiting to be commissioned/m
const START_MS = 120_000
const LOOK_MS = 50

/** Everything read-only but what the unit names, /tmp and /proc of its own. Then in place of the shell: the service. */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
for folder in $WRITABLE; do mount --bind "$ROOT/$folder" "$ROOT/$folder"; done
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -t proc proc "$ROOT/proc"
mount -o remount,ro,bind "$ROOT"
exec chroot "$ROOT" "$@"`

function startService(root: string, within: readonly string[], name: string): Service {
  const unit = readUnit(root, name)
  const { uid, gid } = statSync(join(root, 'var/lib', unit.user))
  for (const folder of unit.writable.map((it) => join(root, it))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chownSync(folder, uid, gid)
  }
  if (unit.credentials) loadCredentials(root, name, unit.credentials, uid)
  const only = unit.capabilities.map((it) => `+${it}`).join(',')
  const rights = ['inh', 'ambient'].map((set) => `--${set}-caps=-all,${only}`)
  const user = [`--reuid=${unit.user}`, `--regid=${unit.user}`, '--init-groups', '--no-new-privs']
  const env = Object.entries(unit.environment).map(([key, value]) => `${key}=${value}`)
  const command = ['setpriv', ...user, ...rights, `--bounding-set=-all,${only}`, 'env', '-i', ...env]
  const [program = '', ...enter] = [...within, 'unshare', '--mount', '--pid', '--fork', '--kill-child']
  const child = spawn(program, [...enter, 'sh', '-c', ENTER, 'sh', ...command, ...unit.command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, ROOT: root, WRITABLE: unit.writable.join(' ') },
  })
  return running(child)
}

/** As LoadCredential does with a folder: files that only the service's user reads, named by the id and the file. */
function loadCredentials(
  root: string,
  name: string,
  { from, id }: { readonly from: string; readonly id: string },
  uid: number,
): void {
  const target = join(root, 'run/credentials', name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const file of existsSync(join(root, from)) ? readdirSync(join(root, from)) : []) {
    const copy = join(target, `${id}_${file}`)
    copyFileSync(join(root, from, file), copy)
    chownSync(copy, uid, uid)
  }
}

function running(child: ChildProcess): Service {
  let text = ''
  const add = (chunk: Buffer): void => void (text += chunk.toString())
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    said: () => text,
    async stop() {
      // unshare waits for the service, which is its child and the first process of its namespace.
      const { stdout } = await run('pgrep', ['-P', String(child.pid)])
      for (const pid of stdout.split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGTERM')
      return gone
    },
  }
}

async function checked(running: Promise<Ran>): Promise<string> {
  const { code, stdout, stderr } = await running
  if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}${stdout}`)
  return stdout + stderr
}
