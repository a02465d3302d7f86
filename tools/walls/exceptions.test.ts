import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../clone.mjs'
import { exceptThose, pruned, type Exceptions } from './exceptions.mjs'

const finding = (path: string, rule: string) => ({ path, line: 1, rule, message: 'is wrong' })

it('an exception covers one rule in one file', () => {
  const findings = [finding('a.ts', 'room'), finding('a.ts', 'circle'), finding('b.ts', 'room')]
  expect(exceptThose(findings, { room: { 'a.ts': 'moves later' } })).toEqual(findings.slice(1))
})

it('an exception that covers nothing is refused, and pruning strikes it', () => {
  const exceptions = {
    room: { 'a.ts': 'moves later', 'b.ts': 'moves later' },
    circle: { 'a.ts': 'opened later' },
  }
  const findings = [finding('b.ts', 'room')]
  expect(exceptThose(findings, exceptions).map(({ rule, message }) => [rule, message.split(',')[0]])).toEqual(
    [
      ['exception', 'excepts a.ts from rule room'],
      ['exception', 'excepts a.ts from rule circle'],
    ],
  )
  expect(pruned(findings, exceptions)).toEqual({ room: { 'b.ts': 'moves later' } })
})

it('every exception of this clone has a reason', () => {
  const exceptions = JSON.parse(readFileSync(join(root, 'tools/walls/exceptions.json'), 'utf8')) as Exceptions
  const reasons = Object.values(exceptions).flatMap((files) => Object.values(files))
  expect(reasons.filter((reason) => reason.trim() === '')).toEqual([])
})
