import { expect, it } from 'vitest'
import { logtypeProblems } from '@rookery/kernel/test/logtype-problems.ts'
import { consoleLogtypes, logtypeOf } from './logtypes.ts'

it.each(consoleLogtypes)(
  'logtype $logtype says level, best evidence, meaning and next step',
  (descriptor) => {
    expect(logtypeProblems(descriptor)).toEqual([])
  },
)

it('a logtype of a service, a token, a Bird or the console has its summary; an unknown one its number', () => {
  expect(['4002', '17000', '22001', '1004', '424242'].map((logtype) => logtypeOf(logtype).summary)).toEqual([
    'SSH Login Attempt',
    expect.stringMatching(/^(?!Event ).+/),
    'Network Settings Roll-back',
    'Bird Disconnected',
    'Event 424242',
  ])
})
