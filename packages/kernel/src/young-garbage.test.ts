import { afterEach, expect, it, vi } from 'vitest'
import { youngGarbage } from './young-garbage.ts'

afterEach(() => vi.unstubAllGlobals())

it('collects the young generation after so many bytes, and then after as many again', () => {
  const gc = vi.fn()
  vi.stubGlobal('gc', gc)
  const used = youngGarbage(1_000)
  used(999)
  expect(gc).not.toHaveBeenCalled()
  used(1)
  expect(gc).toHaveBeenCalledExactlyOnceWith({ type: 'minor' })
  used(999)
  expect(gc).toHaveBeenCalledOnce()
  used(5_000)
  expect(gc).toHaveBeenCalledTimes(2)
})

it('collects nothing where Node runs without --expose-gc', () => {
  vi.stubGlobal('gc', undefined)
  expect(() => youngGarbage(1)(2)).not.toThrow()
})
