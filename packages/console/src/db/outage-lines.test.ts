import { pino } from 'pino'
import { expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { limitOutageLines } from './outage-lines.ts'

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const unavailable = (seconds: number): Fault =>
  new Fault('unavailable', `The database takes no writes: nothing was committed for ${seconds} s.`)

it('an outage is logged once a minute and kind, with the number of lines left out; all else is logged each time', () => {
  let nowMs = 0
  const lines: { msg: string; leftOut?: number; reqId?: string }[] = []
  const log = pino(
    { base: null, hooks: limitOutageLines(() => nowMs) },
    { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) },
  )
  const request = log.child({ reqId: 'a' })
  for (; nowMs < 61_000; nowMs += 500) {
    log.warn({ err: refused() }, 'cannot read the outbox')
    log.warn({ err: refused() }, 'heartbeats could not be stored')
    request.warn({ err: unavailable(nowMs / 500) }, 'request refused')
  }
  expect(lines.map(({ msg, leftOut, reqId }) => [msg, leftOut, reqId])).toEqual([
    ['cannot read the outbox', undefined, undefined],
    ['heartbeats could not be stored', undefined, undefined],
    ['request refused', undefined, 'a'],
    ['cannot read the outbox', 119, undefined],
    ['heartbeats could not be stored', 119, undefined],
    ['request refused', 119, 'a'],
  ])
  lines.length = 0
  for (const _ of [1, 2, 3]) {
    log.error({ err: new Error('a bug') }, 'cannot read the outbox')
    log.warn({ err: new Fault('conflict', 'no') }, 'request refused')
    log.info('started')
  }
  expect(lines).toHaveLength(9)
})
