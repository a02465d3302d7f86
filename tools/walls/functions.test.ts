import { expect, it } from 'vitest'
import { inspect } from './inspect.mjs'

/** `line rule` of every finding. */
const found = (path: string, ...lines: string[]) =>
  inspect(path, `${lines.join('\n')}\n`).map(({ line, rule }) => `${line} ${rule}`)

const calls = (lines: number) => Array<string>(lines).fill('  f()')

it.each([
  ['a function', 'export function a() {', '}'],
  ['an arrow', 'export const a = async () => {', '}'],
  ['a method', 'export const a = { b() {', '} }'],
  ['a constructor', 'export class A { constructor() {', '} }'],
  ['a test', "it('holds', () => {", '})'],
])('%s has 100 lines at most, and its comment is not counted', (_what, first, last) => {
  const comment = Array<string>(50).fill('// why')
  expect(found('packages/bird/src/a.ts', ...comment, first, ...calls(98), last)).toEqual([])
  expect(found('packages/bird/src/a.ts', ...comment, first, ...calls(99), last)).toEqual(['51 function'])
})

it('functions inside count for the one around them', () => {
  const inner = ['  function b() {', ...calls(60), '  }']
  expect(found('promises/speed/a.ts', 'function a() {', ...inner, ...inner, '}')).toEqual(['1 function'])
})

it('groups of tests and tables of data may be longer', () => {
  expect(found('tools/a.test.ts', "describe('a', () => {", ...calls(120), '})')).toEqual([])
  expect(found('tools/a.test.ts', "describe.each(both)('a', () => {", ...calls(120), '})')).toEqual([])
  expect(found('tools/a.data.ts', 'export const a = () => [', ...calls(120), ']')).toEqual([])
})
