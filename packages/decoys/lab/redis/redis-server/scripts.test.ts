import { expect, test } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { replay } from '../../../test/replay.ts'
import { testContext } from '../../../test/session-context.ts'
import recorded from './scripts.json' with { type: 'json' }
import { redisSession } from '../../../src/services/redis/products/redis-server/session.ts'

const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`

/** Each script has a second to itself, as scripts share a budget. */
const evaluate = (script: string, startSession = redisSession(), now = 0) =>
  replay({ name: '', send: [encode(['EVAL', script, '0'])] }, startSession, testContext({ now: () => now }))
    .text

test('scripts are answered as Redis 7.0.15 answers them', () => {
  const startSession = redisSession()
  const found = Object.entries(recorded).flatMap(([script, real], i) => {
    const ours = evaluate(script, startSession, i * 10_000)
    return ours === real ? [] : [{ script, real, ours }]
  })
  expect(Object.keys(recorded).length).toBeGreaterThanOrEqual(270)
  expect(found).toEqual([])
})

test.each([
  'while true do end',
  'local t = {} while true do t[#t + 1] = {} end',
  'local s = "x" while true do s = s .. s end',
  'local function f() return f() end return f()',
  'return string.rep("a", 1e9)',
  'return string.find(string.rep("a", 1000), string.rep("a?", 500) .. string.rep("a", 500))',
  'local t = {} for i = 1, 1e9 do t[i] = i end',
  'while true do redis.call("set", "a", "b") end',
  'return cjson.encode({string.rep("[", 100000)})',
  'return cjson.decode(string.rep("[", 100000))',
  `return ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
  `return ${'{'.repeat(5_000)}${'}'.repeat(5_000)}`,
])('a script that would never end, or take all memory, is stopped: %#', (script) => {
  const elapsedMs = processorTimer()
  expect(evaluate(script)).toMatch(/^-ERR|^\$/)
  expect(elapsedMs()).toBeLessThan(5_000)
})

test('the scripts of a listener share a budget: who floods it finds another script running', () => {
  const startSession = redisSession()
  const script = 'local n = 0 for i = 1, 200000 do n = n + i end return n'
  const answers = Array.from({ length: 30 }, () => evaluate(script, startSession))
  expect(answers[0]).toBe(':20000100000\r\n')
  expect(answers.at(-1)).toMatch(/^-BUSY /)
  expect(evaluate(script, startSession, 60_000)).toBe(':20000100000\r\n')
})
