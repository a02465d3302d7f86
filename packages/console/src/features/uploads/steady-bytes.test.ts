import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { steadyBytes } from './steady-bytes.ts'

/** A body whose bytes come when the test sends them. */
function body() {
  const clock = manualClock()
  const sender = new Readable({ read: () => undefined })
  const bytes = steadyBytes(sender as unknown as IncomingMessage, clock)
  return { clock, sender, next: () => bytes.next() }
}

it('one byte a second is given up after half a minute, and says at which rate it would be taken', async () => {
  const { clock, sender, next } = body()
  for (let second = 1; second < 30; second++) {
    const coming = next()
    clock.advance(1_000)
    sender.push('x')
    expect((await coming).done).toBe(false)
  }
  const late = next()
  clock.advance(1_000)
  await expect(late).rejects.toMatchObject({
    code: 'timeout',
    message: 'The zip came slower than 16384 bytes a second, and was given up. Send it again.',
  })
  expect(sender.destroyed).toBe(false)
})

it('32 KiB a second may take as long as they need', async () => {
  const { clock, sender, next } = body()
  for (let second = 0; second < 100; second++) {
    const coming = next()
    clock.advance(1_000)
    sender.push(Buffer.alloc(32_768))
    expect((await coming).done).toBe(false)
  }
  sender.push(null)
  expect((await next()).done).toBe(true)
})
