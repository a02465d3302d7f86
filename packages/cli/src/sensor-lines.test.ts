import { expect, it } from 'vitest'
import { captureObstacle } from '@rookery/decoys/host/sensors/capability.ts'
import { sensorLines } from './sensor-lines.ts'

it('a start without the capability to read packets says what gives it; one that sees all says nothing', () => {
  const reason = captureObstacle('linux', () => 'CapEff:\t0000000000000000') ?? ''
  expect(sensorLines([{ instance: 'portscan', way: 'connections', reason }])).toMatch(
    /^ {4}portscan: .*lacks CAP_NET_RAW; grant it with .*setpriv .*\n$/,
  )
  expect(sensorLines([{ instance: 'portscan', way: 'packets', reason: '' }])).toBe('')
})
