import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'
import { LONG } from './long-tests.ts'

it.each(LONG)('%s names test files that are there', (pattern) => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([])
})

it('every name in such braces is a file', () => {
  for (const pattern of LONG) {
    const [, names = ''] = /\{(.*)\}/.exec(pattern) ?? []
    if (names !== '') expect(globSync(pattern, { cwd: root }), pattern).toHaveLength(names.split(',').length)
  }
})
