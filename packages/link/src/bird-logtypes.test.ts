import { expect, it } from 'vitest'
import { logtypeProblems } from '@rookery/kernel/test/logtype-problems.ts'
import { birdLogtypes } from './bird-logtypes.ts'

it.each(birdLogtypes)('logtype $logtype says level, best evidence, meaning and next step', (descriptor) => {
  expect(logtypeProblems(descriptor)).toEqual([])
})
