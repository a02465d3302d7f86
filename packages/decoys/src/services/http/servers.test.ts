import { expect, it } from 'vitest'
import { servers } from './servers.ts'
import type { Awaited } from './protocol/web-server.ts'

const AWAITED: readonly Awaited[] = [
  { name: 'first-byte' },
  { name: 'head', since: 0, openedAt: 0, hasLine: true },
  { name: 'body', since: 0 },
  { name: 'unused-body', since: 0 },
  { name: 'next' },
]

// The host closes a connection that is silent for longer.
it.each(Object.entries(servers))('%s itself ends every wait', (_, { limits, patienceMs }) => {
  for (const awaited of AWAITED) expect(patienceMs(awaited, 0, 0)).toBeLessThanOrEqual(limits.idleMs)
})
