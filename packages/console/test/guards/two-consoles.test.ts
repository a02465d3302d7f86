// Two consoles on one PostgreSQL: whichever is asked, every operation that reads answers the same, byte for byte.
import { expect, it, vi } from 'vitest'
import { fillExample } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group } from '@rookery/contract/operation.ts'
import type { Outbound } from '@rookery/kernel/world.ts'
import { systemWorld } from '../../src/world/system.ts'
import { freshDatabase, openTestConsole } from '../test-console.ts'
import { plantSeed } from '../seed.ts'

const reading = Object.values<Group>(groups)
  .flatMap((group) => Object.values(group))
  // Each console tells of its own disk, tasks and certificate, and has the images that were added on its machine.
  .filter(({ method, path }) => method === 'GET' && !/^\/(?:settings\/health|vm[ab]decoy\/)/.test(path))

it('two consoles on one database answer every reading operation alike, also after the other has written', async () => {
  const outbound: Outbound = { send: () => Promise.resolve({ status: 204, headers: {}, body: '' }) }
  const system = systemWorld(outbound)
  // Ages are given in seconds: both ask the same clock, which the test moves.
  let now = Date.now()
  const clock = { ...system.clock, now: () => now }
  const env = {
    ROOKERY_DATABASE_URL: await freshDatabase(),
    ROOKERY_MASTER_KEY: 'ab'.repeat(32),
    ROOKERY_TOKENS_URL: 'https://tokens.example.org',
  }
  const one = await openTestConsole({ world: { outbound, clock }, env })
  const other = await openTestConsole({ world: { outbound, clock }, env })
  for (const [writer, reader] of [
    [one, other],
    [other, one],
  ] as const) {
    const seed = await plantSeed(writer)
    now += 1_000
    await writer.console.dispatcher.idle()
    await reader.console.dispatcher.idle()
    await writer.console.base.writer.idle()
    for (const { path, example } of reading) {
      const params = fillExample(example, seed)
      const ask = async () => {
        const [read, written] = [await reader.get(path, params), await writer.get(path, params)]
        return { path, read: plain(read.text), written: plain(written.text) }
      }
      // The first download starts the forge process of each console: seconds, on a busy machine.
      const { read, written } = await ask()
      if (read === written) continue
      // What one has changed, the other hears within 250 ms; both are asked anew each time, for an alert may
      // have been noted as sent between the two answers.
      await vi.waitFor(
        async () => {
          const later = await ask()
          expect(later).toEqual({ ...later, read: later.written })
        },
        { timeout: 150_000, interval: 50 },
      )
    }
  }
})

/** Each refusal has a number of its own, and links name the console that was asked. */
const plain = (text: string): string =>
  text.replace(/"request_id":"[0-9a-f]+"/, '').replace(/127\.0\.0\.1:\d+/g, 'console')
