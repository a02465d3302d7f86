import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkSubjects } from './commits.ts'

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
const since = new Date('2026-11-22T12:00:00Z')

it('a subject of 72 characters is good, a longer one is named with its commit', () => {
  git('', 'init', '--quiet')
  commit('2026-11-22T12:00:01Z', 'é'.repeat(72))
  expect(checkSubjects(clone, since)).toEqual({ checked: 1, tooLong: [] })
  commit('2026-11-22T12:00:02Z', 'x'.repeat(73))
  const found = checkSubjects(clone, since)
  expect(found?.checked).toBe(2)
  expect(found?.tooLong).toEqual([
    expect.stringMatching(/^[0-9a-f]{7,} has a subject of 73 characters: x{73}$/),
  ])
})

it('commits before the rule are not looked at', () => {
  git('', 'init', '--quiet')
  commit('2026-11-22T11:59:59Z', 'x'.repeat(100))
  commit('2026-11-22T12:00:01Z', 'Say what changed for whom')
  expect(checkSubjects(clone, since)).toEqual({ checked: 1, tooLong: [] })
})

it('a folder without a history has none to check', () => {
  expect(checkSubjects(clone, since)).toBeUndefined()
})
