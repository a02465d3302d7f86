// PerSourcePenalties, as sshd_config(5) of OpenSSH 10.0 describes them.
import { randomBytes } from 'node:crypto'
import { withMax } from '@rookery/kernel/limit.ts'
import { expect, test } from 'vitest'
import { SOURCES, sourcePenalties } from './source-penalties.ts'
import { sshService } from '../ssh-service.ts'

const SECOND = 1_000

test('the fourth connection with a wrong password makes sshd 10.0 refuse the source, for as long as the penalties last', () => {
  const { add, isRefused } = sourcePenalties()
  for (let i = 0; i < 3; i += 1) add('192.0.2.7', 'failed', i * SECOND)
  expect(isRefused('192.0.2.7', 3 * SECOND)).toBe(false)
  add('192.0.2.7', 'failed', 3 * SECOND)
  expect(isRefused('192.0.2.7', 3 * SECOND)).toBe(true)
  expect(isRefused('192.0.2.8', 3 * SECOND)).toBe(false)
  expect(isRefused('192.0.2.7', 20 * SECOND)).toBe(true)
  expect(isRefused('192.0.2.7', 20 * SECOND + 1)).toBe(false)
})

test('connections that try no login cost a second each, and no source is refused for more than ten minutes', () => {
  const { add, isRefused } = sourcePenalties()
  for (let i = 0; i < 15; i += 1) add('192.0.2.7', 'no-attempt', 0)
  expect(isRefused('192.0.2.7', 0)).toBe(false)
  for (let i = 0; i < 1_000; i += 1) add('192.0.2.7', 'failed', 0)
  expect(isRefused('192.0.2.7', 600 * SECOND)).toBe(true)
  expect(isRefused('192.0.2.7', 600 * SECOND + 1)).toBe(false)
})

test('an exceeded LoginGraceTime refuses the source for 90 s at once', () => {
  const { add, isRefused } = sourcePenalties()
  add('192.0.2.7', 'grace-exceeded', 0)
  expect(isRefused('192.0.2.7', 90 * SECOND)).toBe(true)
  expect(isRefused('192.0.2.7', 90 * SECOND + 1)).toBe(false)
})

test('many sources push out those that were penalised longest ago', () => {
  const { add, isRefused } = sourcePenalties(withMax(SOURCES, 2))
  for (const source of ['a', 'b', 'c']) for (let i = 0; i < 4; i += 1) add(source, 'failed', 0)
  expect(['a', 'b', 'c'].map((source) => isRefused(source, 0))).toEqual([false, true, true])
})

test('only 10.0 has them, and says "Not allowed at this time"', () => {
  const crowdOf = (version: string) => {
    const service = sshService({ reserve: () => 0, isFull: () => false })
    const [listener] = service.listeners({ 'ssh.enabled': true, 'ssh.version': version })
    const context = {
      now: () => 0,
      random: randomBytes,
      derive: (_: string, length: number) => Buffer.alloc(length, 7),
      src: { host: '192.0.2.7', port: 40_000 },
      dst: { host: '192.0.2.1', port: 22 },
    }
    for (let i = 0; i < 16; i += 1) {
      const session = listener!.startSession(context)
      session.open()
      session.closed()
    }
    const newcomer = { address: '192.0.2.7', source: '192.0.2.7', open: 0, now: 0, random: randomBytes }
    return listener!.crowd!.refusal(newcomer)
  }
  expect(crowdOf('OpenSSH_10.0p2 Debian-7+deb13u4')).toBe('Not allowed at this time\r\n')
  expect(crowdOf('OpenSSH_9.6p1 Ubuntu-3ubuntu13.18')).toBeUndefined()
})
