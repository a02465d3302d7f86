// The gate G4 at the size of a test: a day of a moved clock passes in a second.
import { expect, it } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { outlastOutage } from './lib/outage.ts'
import { toItsEnd } from './lib/to-its-end.ts'

it('alerts outlast a day in which their receivers refuse, hang, fail and reset: all arrive, in order, under one id each', async () => {
  const alerts = sized(120, 40)
  const { receivers, undelivered, healthyDelayMs } = await toItsEnd(outlastOutage({ alerts }))
  for (const received of receivers) {
    expect(received).toMatchObject({ missing: 0, repeated: 0, outOfOrder: 0, mixedIds: 0 })
  }
  expect(receivers.filter(({ tries }) => tries > alerts)).toHaveLength(4)
  expect({ undelivered, healthyDelayMs }).toEqual({ undelivered: 0, healthyDelayMs: 0 })
})
