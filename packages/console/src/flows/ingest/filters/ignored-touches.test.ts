import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../../../test/test-console.ts'
import { sshLogin } from '../../../../test/touches.ts'
import { logtypeOf } from '../../../logtypes.ts'
import { listIgnored } from '../../../stores/ignore/ignored.store.ts'
import { openIgnoredTouches, type IgnoredTouch } from './ignored-touches.ts'

const ignored = (n: number): IgnoredTouch => ({
  arrival: { ...sshLogin({ srcHost: `192.0.2.${n}` }), logtype: logtypeOf('4002'), late: false },
  list: 'ip',
  entry: () => '192.0.2.0/24',
})

describe.each(engines)('ignored touches (%s)', (engine) => {
  async function open() {
    const clock = manualClock()
    const { console } = await openTestConsole({ engine, world: { clock } })
    const { writer, reader, world } = console.base
    let failure: Error | undefined
    const write = ((...given) =>
      failure ? Promise.reject(failure) : writer.write(...given)) as typeof writer.write
    const touches = openIgnoredTouches({
      writer: { ...writer, write },
      world,
      background: console.base.background,
      log: pino({ level: 'silent' }),
    })
    const stored = async () => (await listIgnored(reader, 'all', {})).map(({ src_host }) => src_host)
    return { clock, touches, stored, fail: (error?: Error) => (failure = error) }
  }

  it('outlast an outage of the database, the newest two hundred', async () => {
    const { clock, touches, stored, fail } = await open()
    fail(new Fault('unavailable', 'The database is away.'))
    touches.add([ignored(1), ignored(2)])
    await touches.idle()
    touches.add(Array.from({ length: 199 }, (_, n) => ignored(n + 3)))
    await touches.idle()
    fail()
    clock.advance(1_000)
    await touches.idle()
    expect(await stored()).toEqual(Array.from({ length: 200 }, (_, n) => `192.0.2.${201 - n}`))
    await touches.stop()
  })

  it('that the database refuses for good keep no others out', async () => {
    const { clock, touches, stored, fail } = await open()
    fail(new Error('invalid byte sequence'))
    touches.add([ignored(1)])
    await touches.idle()
    fail()
    touches.add([ignored(2)])
    await touches.idle()
    clock.advance(1_000)
    await touches.idle()
    expect(await stored()).toEqual(['192.0.2.2'])
    await touches.stop()
  })

  it('of the last second are stored when the console stops', async () => {
    const { touches, stored } = await open()
    touches.add([ignored(1)])
    await touches.idle()
    touches.add([ignored(2)])
    await touches.stop()
    expect(await stored()).toEqual(['192.0.2.2', '192.0.2.1'])
  })
})
