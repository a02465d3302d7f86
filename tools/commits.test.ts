import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkCommits } from './commits.ts'

let clone = ''
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'rookery-commits-'))
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

const git = (at: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: clone,
    env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
  })

const commit = (at: string, subject: string) => git(at, 'commit', '--quiet', '--allow-empty', '-m', subject)
const rule = new Date('2026-11-22T12:00:00Z')
const since = { subject: rule, body: rule }

it('a subject of 72 characters is good, a longer one is named with its commit', () => {
  git('', 'init', '--quiet')
  commit('2026-11-22T12:00:01Z', 'é'.repeat(72))
  expect(checkCommits(clone, since)).toEqual({ checked: 1, wrong: [] })
  commit('2026-11-22T12:00:02Z', 'x'.repeat(73))
  const found = checkCommits(clone, since)
  expect(found?.checked).toBe(2)
  expect(found?.wrong).toEqual([
    expect.stringMatching(/^[0-9a-f]{7,} has a subject of 73 characters: x{73}$/),
  ])
})

it('a commit of more than five files has a body that says why', () => {
  const change = (at: string, files: number, ...message: string[]) => {
    for (let n = 0; n < files; n++) writeFileSync(join(clone, `${n}`), at)
    git(at, 'add', '.')
    git(at, 'commit', '--quiet', ...message.flatMap((text) => ['-m', text]))
  }
  git('', 'init', '--quiet')
  change('2026-11-22T11:00:00Z', 6, 'Before the rule')
  change('2026-11-22T12:00:01Z', 5, 'Small')
  change('2026-11-22T12:00:02Z', 6, 'Large', 'Since it must be.')
  expect(checkCommits(clone, since)?.wrong).toEqual([])
  change('2026-11-22T12:00:03Z', 6, 'Silent')
  expect(checkCommits(clone, since)?.wrong).toEqual([
    expect.stringMatching(/^[0-9a-f]{7,} changes 6 files and has no body: Silent$/),
  ])
})

it('commits before the rule are not looked at', () => {
  git('', 'init', '--quiet')
  commit('2026-11-22T11:59:59Z', 'x'.repeat(100))
  commit('2026-11-22T12:00:01Z', 'Say what changed for whom')
  expect(checkCommits(clone, since)).toEqual({ checked: 1, wrong: [] })
})

it('a folder without a history has none to check', () => {
  expect(checkCommits(clone, since)).toBeUndefined()
})
