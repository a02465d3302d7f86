import { expect, it } from 'vitest'
import { captureObstacle } from './capability.ts'

const status = (effective: string) => () => `Name:\tnode\nCapPrm:\t000001ffffffffff\nCapEff:\t${effective}\n`

it('a process with CAP_NET_RAW alone may read packets', () => {
  expect(captureObstacle('linux', status('0000000000002000'))).toBeUndefined()
})

it('one without it learns what would give it, and one on another system that there is no way', () => {
  expect(captureObstacle('linux', status('000001ffffffdfff'))).toMatch(
    /^the process lacks CAP_NET_RAW; grant it/,
  )
  expect(captureObstacle('linux', () => '')).toMatch(/CAP_NET_RAW/)
  expect(captureObstacle('darwin', status('0000000000002000'))).toMatch(/on Linux alone, and this is darwin$/)
})
