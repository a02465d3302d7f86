// What a change consists of: the files that differ from where it began, committed or not.
import { execFileSync } from 'node:child_process'
import { CannotPrepare } from './clone.mjs'

export interface Change {
  /** The commit with which the files are compared. */
  readonly ref: string
  /** Files that are there and differ, from the root of the clone. */
  readonly files: readonly string[]
}

export interface Arguments {
  /** Undefined for everything. */
  readonly change: Change | undefined
  /** Parts of the paths of tests. */
  readonly filters: readonly string[]
}

/** Reads `[filter …] [--changed [ref]]`; without a ref the change begins where it left `origin/main`, else at HEAD. */
export function readArguments(folder: string, args: readonly string[]): Arguments {
  const at = args.indexOf('--changed')
  if (at < 0) return { change: undefined, filters: args }
  const [ref, ...more] = args.slice(at + 1)
  return { change: changeSince(folder, ref), filters: [...args.slice(0, at), ...more] }
}

function changeSince(folder: string, asked: string | undefined): Change {
  const ref =
    git(folder, ['merge-base', 'HEAD', asked ?? 'origin/main']) ?? (asked === undefined ? 'HEAD' : undefined)
  if (ref === undefined)
    throw new CannotPrepare(
      `--changed is followed by "${asked}", which names no commit; give one, such as HEAD~3.`,
    )
  const differing = git(folder, ['diff', '--name-only', '--diff-filter=d', ref])
  const untracked = git(folder, ['ls-files', '--others', '--exclude-standard'])
  if (differing === undefined || untracked === undefined)
    throw new CannotPrepare(`--changed needs the git history of the clone; there is none in ${folder}.`)
  const files = [differing, untracked].flatMap((text) => text.split('\n')).filter(Boolean)
  return { ref, files: [...new Set(files)].sort() }
}

function git(folder: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
