// A bare Debian in namespaces of its own: packages are installed with dpkg, and services started as their units say. There is no
// systemd in it, since that needs a machine; `systemd-analyze` judges the units in packages/cli/test/package.test.ts.
import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run, type Ran } from './command.ts'
import { readUnit } from './unit.ts'

const SUITE = 'bookworm'
const BOOTSTRAP_MS = 400_000
const INSTALL_MS = 120_000

export interface Service {
  said(): string
  /** SIGTERM, and waits for the end; answers the exit code. */
  stop(): Promise<number | null>
}

export interface DebianMachine {
  readonly root: string
  /** In its network, with the programs of this machine. */
  run(program: string, args: readonly string[], patienceMs?: number): Promise<Ran>
  /** In it, as its root: throws with what was printed when it fails. */
  inside(command: readonly string[]): Promise<string>
  /** `dpkg -i`; answers what was printed. */
  install(deb: string): Promise<string>
  startService(name: string): Service
  close(): void
}

/** Debian's smallest system, from its mirror. */
export async function bootstrap(root: string): Promise<void> {
  const { code, stdout, stderr } = await run('debootstrap', ['--variant=minbase', SUITE, root], {
    patienceMs: BOOTSTRAP_MS,
  })
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
  const inside = async (command: readonly string[]): Promise<string> =>
    checked(inNet('chroot', [root, 'env', `PATH=${PATH}`, ...command], INSTALL_MS))
  return {
    pid,
    root,
    run: inNet,
    inside,
    install(deb) {
      copyFileSync(deb, join(root, 'tmp', basename(deb)))
      return inside(['dpkg', '-i', `/tmp/${basename(deb)}`])
    },
    startService: (name) => startService(root, within, name),
    close: () => void holder.kill(),
  }
}

const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

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
