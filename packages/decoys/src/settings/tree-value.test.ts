import { expect, it } from 'vitest'
import { MAX_DEPTH, MAX_NODES, treeExpectation } from './tree-value.ts'

const file = (name: string, more: object = {}): object => ({ name, type: 'file', ...more })
const folder = (name: string, ...children: object[]): object => ({ name, type: 'directory', children })
const nested = (depth: number): object[] =>
  depth === 1 ? [file('a.txt')] : [folder('a', ...nested(depth - 1))]

it('a tree of files and folders with sizes and dates is right', () => {
  const tree = [
    folder('HR', file('Staff.xlsx', { size: 12_000, modified: '2026-03-31' }), folder('Archive')),
    file('readme.txt', { modified: '2026-03-31T16:20:00Z', size: 0 }),
  ]
  expect(treeExpectation(tree)).toBeUndefined()
  expect(treeExpectation([])).toBeUndefined()
  expect(treeExpectation(nested(MAX_DEPTH))).toBeUndefined()
})

it.each<[unknown, RegExp]>([
  ['HR', /^a list of files and folders$/],
  [[5], /each with a name and a type$/],
  [[file('a:b')], /each with a name that Windows allows/],
  [[file('nul.txt')], /each with a name that Windows allows/],
  [[file('a. ')], /each with a name that Windows allows/],
  [[file('x'.repeat(256))], /at most 255 characters/],
  [[{ name: 'a', type: 'link' }], /the type file or directory/],
  [[file('a', { owner: 'me' })], /no keys but name, type, children, size, modified, uploaded/],
  [[folder('HR', file('a', { size: -1 }))], /a size from 0 to \d+ bytes \(at \/HR\)$/],
  [[file('a', { modified: 'yesterday' })], /a date since 1980/],
  [[file('a', { modified: '1970-01-01' })], /a date since 1980/],
  [[file('a', { children: [] })], /children only if it is a directory/],
  [[{ ...folder('a'), size: 1 }], /a size only if it is a file/],
  [[folder('HR', file('a'), file('A'))], /each name of a folder is another one \(at \/HR\/A\)$/],
  [nested(MAX_DEPTH + 1), /at most 30 folders inside each other/],
  [nested(500), /at most 30 folders inside each other/],
  [Array.from({ length: MAX_NODES + 1 }, (_, i) => file(`${i}`)), /at most 8192 files and folders/],
])('%j is refused by the node that is wrong', (value, expectation) => {
  expect(treeExpectation(value)).toMatch(expectation)
})
