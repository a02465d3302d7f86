// A claim that a user could check by hand: real tools against the real product, and nothing in between.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a proof is handed. */
export interface Stage {
  /** An empty folder on a disk; the runner removes it. */
  readonly folder: string
  /** A line for the reader: a measured figure. */
  readonly say: (line: string) => void
  /** One part could not be tried; the rest goes on. */
  readonly skip: (reason: string) => void
}

/** The default export of each file in `promises/tools/`, named as the file. */
export interface Proof {
  /** One line for people: the claim. */
  readonly title: string
  /** Programs without which nothing can be shown. The runner installs them first, by `debian.ts`, if it is root. */
  readonly needs?: readonly string[]
  /** Programs without which a part cannot be shown: installed as well. */
  readonly uses?: readonly string[]
  /** Debian packages that it installs besides: servers, modules. Installing may start them. */
  readonly packages?: readonly string[]
  /**
   * Runs in namespaces of its own. Network: only loopback, every port free, those below 1024 allowed. Mounts: what it mounts, such
   * as another resolv.conf, it alone sees. Processes: whatever it starts ends with it.
   */
  readonly isIsolated?: boolean
  /** The runner ends it, and all that it started, after this time. */
  readonly limitMs: number
  /** Throws when the claim does not hold. */
  readonly prove: (stage: Stage) => Promise<void>
}

/** How a proof's process tells its outcome. 77 is what test harnesses commonly read as skipped. */
export const EXIT = { passed: 0, failed: 1, skipped: 77 } as const

const PROOFS = dirname(import.meta.dirname)

/** The names of all proofs. */
export const namesOfProofs = (): string[] =>
  readdirSync(PROOFS)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -3))
    .sort()

export async function loadProof(name: string): Promise<Proof> {
  const { default: proof } = (await import(pathToFileURL(join(PROOFS, `${name}.ts`)).href)) as {
    default?: Proof
  }
  if (typeof proof?.prove === 'function') return proof
  throw new Error(
    `promises/tools/${name}.ts exports no proof: its default export must be { title, limitMs, prove }.`,
  )
}

/** Where Debian's Python finds what its packages `python3-…` bring. */
const MODULES = '/usr/lib/python3/dist-packages'

/** Whether a program is on the PATH, or where its path says; a module of Python, by the name of its package, is where Debian has it. */
export function isInstalled(program: string): boolean {
  if (program.startsWith('python3-')) return hasModule(program.slice('python3-'.length))
  const folders = program.startsWith('/') ? ['/'] : (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Modules with another name than their packages. */
const MODULE_OF: Readonly<Record<string, string>> = { dnspython: 'dns' }

const hasModule = (name: string): boolean =>
  [MODULE_OF[name] ?? name, `${name}.py`].some((file) => existsSync(join(MODULES, file)))

/** `hydra is not installed`, or nothing when all are there. */
export function missing(programs: readonly string[]): string | undefined {
  const absent = programs.filter((program) => !isInstalled(program))
  if (absent.length === 0) return undefined
  return `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not installed`
}
