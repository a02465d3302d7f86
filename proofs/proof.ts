// A claim that a user could check by hand: real tools against the real product, and nothing in between.
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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

/** The default export of each file in `proofs/subjects/`, named as the file. */
export interface Proof {
  /** One line for people: the claim. */
  readonly title: string
  /** Programs without which nothing can be shown. */
  readonly needs?: readonly string[]
  /** Debian packages that the runner installs first, if it is root and they are missing. Installing may start them. */
  readonly packages?: readonly string[]
  /** Runs in a network namespace of its own: only loopback, every port free, port 21 allowed. */
  readonly isIsolated?: boolean
  /** The runner ends it, and all that it started, after this time. */
  readonly limitMs: number
  /** Throws when the claim does not hold. */
  readonly prove: (stage: Stage) => Promise<void>
}

/** How a proof's process tells its outcome. 77 is what test harnesses commonly read as skipped. */
export const EXIT = { passed: 0, failed: 1, skipped: 77 } as const

const SUBJECTS = join(import.meta.dirname, 'subjects')

/** The names of all proofs. */
export const namesOfProofs = (): string[] =>
  readdirSync(SUBJECTS)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3))
    .sort()

export async function loadProof(name: string): Promise<Proof> {
  const { default: proof } = (await import(pathToFileURL(join(SUBJECTS, `${name}.ts`)).href)) as {
    default?: Proof
  }
  if (typeof proof?.prove === 'function') return proof
  throw new Error(
    `proofs/subjects/${name}.ts exports no proof: its default export must be { title, limitMs, prove }.`,
  )
}

/** Whether a program is on the PATH. */
export function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** `hydra is not installed`, or nothing when all are there. */
export function missing(programs: readonly string[]): string | undefined {
  const absent = programs.filter((program) => !isInstalled(program))
  if (absent.length === 0) return undefined
  return `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not installed`
}
