// Whether the commits' subjects are short enough to be read in a list, and large commits say why. Run: node tools/commits.ts
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from './clone.mjs'

const MAX_CHARACTERS = 72

/** More than these ask for a body that says why. */
const MAX_FILES_WITHOUT_BODY = 5

/**
 * Commits after these moments are checked; those before were made without the rule. A moment, and no commit, so that the
 * check also works where the clone is shallow, where `origin/main` is what is being checked, and where history was rebased.
 */
const SINCE = { subject: new Date('2026-11-22T20:00:00Z'), body: new Date('2026-11-29T16:00:00Z') }

/** None of these stands in a message. */
const [COMMIT, PART] = ['\u0001', '\u0002']

export interface CheckedCommits {
  readonly checked: number
  /** One line for each subject that is too long, and for each large commit without a body. */
  readonly wrong: readonly string[]
}

/** The commits of `folder` after `since`; undefined where there is no history to read. */
export function checkCommits(folder: string, since = SINCE): CheckedCommits | undefined {
  const log = historyOf(folder)
  if (log === undefined) return undefined
  const commits = log.split(COMMIT).slice(1).map(parse)
  const isAfter = (moment: Date) => (commit: { at: number }) => commit.at * 1000 > moment.getTime()
  const checked = commits.filter(isAfter(since.subject))
  const tooLong = checked
    .filter(({ subject }) => [...subject].length > MAX_CHARACTERS)
    .map(({ name, subject }) => `${name} has a subject of ${[...subject].length} characters: ${subject}`)
  const unexplained = commits
    .filter(isAfter(since.body))
    .filter(({ files, body }) => files > MAX_FILES_WITHOUT_BODY && body === '')
    .map(({ name, subject, files }) => `${name} changes ${files} files and has no body: ${subject}`)
  return { checked: checked.length, wrong: [...tooLong, ...unexplained] }
}

function parse(text: string) {
  const [name = '', at, subject = '', body = '', stat = ''] = text.split(PART)
  const files = Number(/(\d+) files? changed/.exec(stat)?.[1] ?? 0)
  return { name, at: Number(at), subject, body: body.trim(), files }
}

function historyOf(folder: string): string | undefined {
  const format = `%x01${['%h', '%ct', '%s', '%b', ''].join('%x02')}`
  try {
    return execFileSync('git', ['log', '--shortstat', `--format=${format}`], {
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
  const found = checkCommits(root)
  if (!found) console.log('There is no git history here: commits were not checked.')
  else {
    for (const line of found.wrong) console.error(line)
    console.log(`${found.checked} commits looked at, ${found.wrong.length} findings.`)
    if (found.wrong.length > 0) {
      console.error('Amend the last one with `git commit --amend`, older ones with `git rebase -i`.')
      process.exitCode = 1
    }
  }
}
