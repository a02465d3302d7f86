import { expect, it } from 'vitest'
import { declaredLimits } from '@rookery/kernel/limit.ts'
import '@rookery/console/build.ts'
import { root } from '../clone.mjs'
import { limitsIn, limitsOf } from './limits.ts'

it('every limit of a console stands on the page of limits, under its number', () => {
  const pages = new Map(limitsOf(root).map(({ name, max }) => [name, max]))
  // Other tests of this process declare limits of their own.
  const loaded = [...declaredLimits()].filter(({ name }) => !/(^|_)test(_|$)/.test(name))
  expect(loaded.length).toBeGreaterThan(100)
  for (const { name, max } of loaded) {
    const shown = pages.get(name)
    expect(shown, name).toBeDefined()
    if (!shown?.startsWith('`')) expect(shown, name).toBe(max.toLocaleString('en-US'))
  }
})

it('every limit says what it bounds', () => {
  expect(limitsOf(root).flatMap(({ name, about }) => (about === '' ? [name] : []))).toEqual([])
})

it('a number is read as a person would, and what is no number stays as it is written', () => {
  const source = `
    const KIB = 1024
    /** How many at\n * a time. */
    export const A = limit('a', 64 * KIB)
    const B = limit('b', options.most)
    const unlike = delimit('c', 1)
    /** Of the whole. */
    const LIMITS = {
      /** Of a member. */
      one: limit('d', 1),
    }`
  expect(limitsIn('x.ts', source)).toEqual([
    { name: 'a', max: '65,536', about: 'How many at a time.', path: 'x.ts' },
    { name: 'b', max: '`options.most`', about: '', path: 'x.ts' },
    { name: 'd', max: '1', about: 'Of a member.', path: 'x.ts' },
  ])
})
