// The gate G4 at the size of a test: a day of a moved clock passes in a second.
import { expect, it } from 'vitest'
import { outlastOutage } from './lib/outage.ts'
import { toItsEnd } from './lib/to-its-end.ts'

it('alerts outlast a day in which their receivers refuse, hang, fail and reset: all arrive, in order, under one id each', async () => {
  const { receivers, undelivered, healthyDelayMs } = await toItsEnd(outlastOutage({ alerts: 120 }))
  for (const received of receivers) {
    expect(received).toMatchObject({ missing: 0, repeated: 0, outOfOrder: 0, mixedIds: 0 })
  }
  expect(receivers.filter(({ tries }) => tries > 120)).toHaveLength(4)
  expect({ undelivered, healthyDelayMs }).toEqual({ undelivered: 0, healthyDelayMs: 0 })
})
