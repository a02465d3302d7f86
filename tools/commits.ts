// Whether the commits' subjects are short enough to be read in a list. Run: node tools/commits.ts
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from './clone.mjs'

const MAX_CHARACTERS = 72

/**
 * Commits after this moment are checked; those before it were made without the rule. A moment, and no commit, so that the
 * check also works where the clone is shallow, where `origin/main` is what is being checked, and where history was rebased.
 */
const SINCE = new Date('2026-11-22T20:00:00Z')

export interface Subjects {
  readonly checked: number
  /** One line for each subject that is too long. */
  readonly tooLong: readonly string[]
}

/** The subjects of the commits of `folder` after `since`; undefined where there is no history to read. */
export function checkSubjects(folder: string, since = SINCE): Subjects | undefined {
  const log = historyOf(folder)
  if (log === undefined) return undefined
  const commits = log
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .filter(([, at]) => Number(at) * 1000 > since.getTime())
    .map(([name = '', , ...subject]) => ({ name, subject: subject.join('\t') }))
  const tooLong = commits
    .filter(({ subject }) => [...subject].length > MAX_CHARACTERS)
    .map(({ name, subject }) => `${name} has a subject of ${[...subject].length} characters: ${subject}`)
  return { checked: commits.length, tooLong }
}

function historyOf(folder: string): string | undefined {
  try {
    return execFileSync('git', ['log', '--format=%h%x09%ct%x09%s'], {
      cwd: folder,
      // A repository around the folder is another one's.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const found = checkSubjects(root)
  if (!found) console.log('There is no git history here: subjects of commits were not checked.')
  else {
    for (const line of found.tooLong) console.error(line)
    console.log(
      `${found.checked} subjects looked at, ${found.tooLong.length} longer than ${MAX_CHARACTERS} characters.`,
    )
    if (found.tooLong.length > 0) {
      console.error('Amend the last one with `git commit --amend`, older ones with `git rebase -i`.')
      process.exitCode = 1
    }
  }
}
