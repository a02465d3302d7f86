import { expect, it } from 'vitest'
import { againstCommitBefore, builtClone, shareRow } from './commit-before.ts'

it('a share of 95 % in the middle of the rounds is kept, and less is not', () => {
  // One bad round of either says nothing.
  expect(shareRow('hits', [96, 1, 97], [100, 100, 100])).toMatchObject({ measured: 96, isKept: true })
  expect(shareRow('hits', [94, 94, 300], [100, 100, 100])).toMatchObject({ measured: 94, isKept: false })
  expect(shareRow('hits', [96], [100]).promise).toBe('≥ 95 %')
})

it('without another build nothing is run, and a clone that is not built is refused', async () => {
  const never = () => Promise.reject(new Error('asked'))
  expect(await againstCommitBefore('hits', { tokens: 1, prepare: never, ask: never }, '')).toEqual([])
  expect(() => builtClone('/nowhere')).toThrow('BENCH_BASE names /nowhere, which has no .build/rookery.mjs')
})
