import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../../test/test-console.ts'
import { quietTouchesOf } from '../../../stores/tokens/quiet.store.ts'
import { openQuietTouches, type QuietTouch } from './quiet-touches.ts'

const touch = (n: number, visitor = `http|${n}`): QuietTouch => ({
  tokenNumber: 7,
  visitor,
  receivedAt: Date.now(),
  reason: 'its kind judges it quiet',
  fields: { n },
})

/** How often a token had more than are kept. */
async function limitHits(apiUrl = ''): Promise<number> {
  const metrics = await (await fetch(`${apiUrl}/metrics`)).text()
  return Number(/^rookery_limit_hits_total\{limit="quiet_touches_of_a_token"\} (\d+)$/m.exec(metrics)?.[1])
}

describe.each(engines)('quiet touches (%s)', (engine) => {
  it('of a flood are written once, a few of a second, the newest hundred of a token', async () => {
    const { console } = await openTestConsole({ engine })
    const hitsBefore = await limitHits(console.apiUrl)
    let writes = 0
    const { writer, world, reader, background } = console.base
    const counted = {
      ...writer,
      write: ((...given) => (writes++, writer.write(...given))) as typeof writer.write,
    }
    const quiet = openQuietTouches({ writer: counted, world, background, log: pino({ level: 'silent' }) })
    for (let n = 0; n < 5_000; n++) quiet.add([touch(n)], [])
    await expect.poll(() => writes).toBe(1)
    await quiet.stop()
    const stored = await quietTouchesOf(reader, 7)
    expect(stored.map(({ body }) => body)).toEqual(
      Array.from({ length: 100 }, (_, n) => JSON.stringify({ n: 199 - n })),
    )
    expect(writes).toBe(1)
    expect(await limitHits(console.apiUrl)).toBe(hitsBefore + 1)
  })

  it('of one visit are one, and none if the visit fires after all', async () => {
    const { console } = await openTestConsole({ engine })
    const quiet = openQuietTouches(console.base)
    quiet.add([touch(1, 'dns|a'), touch(2, 'dns|a'), touch(3, 'dns|b')], [])
    quiet.add([], ['dns|b'])
    const bodies = async () => (await quietTouchesOf(console.base.reader, 7)).map(({ body }) => body)
    await expect.poll(bodies).toEqual(['{"n":1}'])
    await quiet.stop()
  })
})
