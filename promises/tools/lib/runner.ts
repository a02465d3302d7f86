// Runs each proof in a process group of its own, so that whatever it started ends with it.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagesFor } from './debian.ts'
import { SYSTEM_RESOLVER } from './unbound.ts'
import { EXIT, loadProof, namesOfProofs } from './proof.ts'

export type Outcome = keyof typeof EXIT

const NODE = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'one.ts')]
const isRoot = process.getuid?.() === 0
/** A user namespace too where there is no root. Root keeps its users: real servers change to theirs. */
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc']
const UNSHARE = [...(isRoot ? [] : ['--user', '--map-root-user']), ...NAMESPACES, 'sh', '-c']
/** The shell stays: as the first process of its namespace, it waits for those whose parent is gone. */
const UP = 'ip link set lo up && mount --bind "$0" /etc/resolv.conf && "$@"; exit $?'
/** Where programs of an isolated proof look names up: nobody answers there but a resolver that the proof starts. */
const RESOLV_CONF = `nameserver ${SYSTEM_RESOLVER}\n`

/** The proofs with these names, or all; an unknown name is an error that tells the known ones. */
export function chosen(
  names: readonly string[],
  all: readonly string[] = namesOfProofs(),
): readonly string[] {
  for (const name of names)
    if (!all.includes(name)) throw new Error(`There is no proof "${name}"; there are ${all.join(', ')}.`)
  return names.length === 0 ? all : names
}

/** One after the other; answers the exit code: 0 when none failed. */
export async function runProofs(names: readonly string[], say: (line: string) => void): Promise<number> {
  const outcomes = new Map<string, Outcome>()
  for (const name of chosen(names)) {
    const startedAt = performance.now()
    const outcome = await runProof(name, say)
    outcomes.set(name, outcome)
    say(`  ${outcome} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  say(verdict(outcomes))
  return [...outcomes.values()].includes('failed') ? 1 : 0
}

async function runProof(name: string, say: (line: string) => void): Promise<Outcome> {
  const { title, needs = [], uses = [], packages = [], isIsolated = false, limitMs } = await loadProof(name)
  say(`${name}: ${title}`)
  installPackages([...packages, ...packagesFor([...needs, ...uses])], say)
  const folder = mkdtempSync(join(tmpdir(), `rookery-proof-${name}-`))
  try {
    const command = [process.execPath, ...NODE, name, folder]
    if (!isIsolated) return await inGroup(command, limitMs, say)
    const [program, ...args] = isolation(folder)
    if (spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0)
      return await inGroup([program, ...args, ...command], limitMs, say)
    say(`  skipped: this system does not allow namespaces (unshare ${NAMESPACES.join(' ')})`)
    return 'skipped'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Outside the namespace, which has no network. What cannot be installed, the proof itself reports as skipped. */
function installPackages(packages: readonly string[], say: (line: string) => void): void {
  const absent = [...new Set(packages)].filter((name) => !isThere(name))
  if (absent.length === 0) return
  // One that apt does not know, or cannot fetch, would take all others with it.
  if (isRoot && !install(absent)) for (const name of absent) install([name])
  const [failed, done] = [absent.filter((name) => !isThere(name)), absent.filter(isThere)]
  if (done.length > 0) say(`  installed ${done.join(', ')}`)
  if (failed.length > 0) say(`  cannot install ${failed.join(', ')}${isRoot ? '' : ': that is for root'}`)
}

const isThere = (name: string): boolean => {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { encoding: 'utf8' })
  return stdout === 'installed'
}

const install = (names: readonly string[]): boolean => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Waits for another installation that runs. What is there stays: another origin's npm is worth more than Debian's.
  const options = ['-o', 'DPkg::Lock::Timeout=600', '-y', '--no-install-recommends', '--no-remove']
  return spawnSync('apt-get', ['install', ...options, ...names], { stdio: 'ignore', env }).status === 0
}

/** What runs the rest of its arguments in namespaces of its own. */
function isolation(folder: string): readonly [program: string, ...args: string[]] {
  const resolvConf = join(folder, 'resolv.conf')
  writeFileSync(resolvConf, RESOLV_CONF)
  return ['unshare', ...UNSHARE, UP, resolvConf]
}

async function inGroup(
  command: readonly string[],
  limitMs: number,
  say: (line: string) => void,
): Promise<Outcome> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group is gone: as it should be.
    }
  }
  const onSignal = (): void => (end(), process.exit(130))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const timer = setTimeout(() => {
    say(`  not done after ${limitMs / 1000} s`)
    end()
  }, limitMs)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('exit', resolve)
    })
    return code === EXIT.passed ? 'passed' : code === EXIT.skipped ? 'skipped' : 'failed'
  } finally {
    clearTimeout(timer)
    end()
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/** `5 passed, 1 skipped (nmap), 1 failed (hydra).` */
export function verdict(outcomes: ReadonlyMap<string, Outcome>): string {
  const parts = (['passed', 'skipped', 'failed'] as const).flatMap((kind) => {
    const names = [...outcomes].filter(([, outcome]) => outcome === kind).map(([name]) => name)
    if (names.length === 0) return []
    return [`${names.length} ${kind}${kind === 'passed' ? '' : ` (${names.join(', ')})`}`]
  })
  return `${parts.join(', ')}.`
}
