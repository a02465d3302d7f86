import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readArguments } from './change.ts'

let clone = ''
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'rookery-change-'))
  git('init', '--quiet', '--initial-branch=main')
  for (const file of ['kept.ts', 'edited.ts', 'removed.ts', 'committed.ts']) put(file, 'a')
  commit()
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: clone,
    encoding: 'utf8',
  }).trim()
const put = (file: string, text: string) => writeFileSync(join(clone, file), text)
function commit(): string {
  git('add', '--all')
  git('commit', '--quiet', '-m', 'Change')
  return git('rev-parse', 'HEAD')
}

it('without the flag every argument is a filter, and all is checked', () => {
  expect(readArguments(clone, ['packages/link'])).toEqual({ change: undefined, filters: ['packages/link'] })
})

it('a change is what differs from origin/main, committed or not, but for what is gone', () => {
  const start = git('rev-parse', 'HEAD')
  git('update-ref', 'refs/remotes/origin/main', start)
  put('committed.ts', 'b')
  commit()
  put('edited.ts', 'b')
  put('new é.ts', 'b')
  rmSync(join(clone, 'removed.ts'))
  const files = ['committed.ts', 'edited.ts', 'new é.ts']
  expect(readArguments(clone, ['packages/link', '--changed'])).toEqual({
    change: { ref: start, files },
    filters: ['packages/link'],
  })
})

it('without an upstream it is what is not committed; a commit may be named', () => {
  const start = git('rev-parse', 'HEAD')
  put('committed.ts', 'b')
  commit()
  put('edited.ts', 'b')
  expect(readArguments(clone, ['--changed']).change?.files).toEqual(['edited.ts'])
  expect(readArguments(clone, ['--changed', 'HEAD~1']).change).toEqual({
    ref: start,
    files: ['committed.ts', 'edited.ts'],
  })
})

it('a ref that names nothing is refused by its name', () => {
  expect(() => readArguments(clone, ['--changed', 'nowhere'])).toThrow('"nowhere", which names no commit')
})

it('a folder without history is refused', () => {
  rmSync(join(clone, '.git'), { recursive: true })
  expect(() => readArguments(clone, ['--changed'])).toThrow('needs the git history')
})
