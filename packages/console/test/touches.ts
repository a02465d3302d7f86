// Touches for tests: a Bird's and a token's, without the Bird.
import type { Touch } from '@rookery/kernel/touch.ts'
import type { ConsoleTouch } from '../src/flows/ingest/ingest-item.ts'
import type { Subject } from '../src/flows/raise/arrival.ts'

export const subject: Subject = {
  flockId: 'flock:default',
  name: 'nas-02',
  memo: null,
  ipAddress: '10.0.0.5',
  ippers: '10.0.0.5',
  macAddress: '02:00:00:00:00:05',
  muted: false,
}

/** An SSH login at a Bird, as the ingest hears it. */
export const sshLogin = (change: Partial<Touch> = {}, at = Date.now()): ConsoleTouch => ({
  receivedAt: at,
  subject,
  touch: {
    nodeId: '0123456789abcdef',
    logtype: '4002',
    instance: 'ssh',
    at,
    srcHost: '192.0.2.7',
    srcPort: 40_000,
    dstHost: '10.0.0.5',
    dstPort: 22,
    fields: { USERNAME: 'root', PASSWORD: 'toor' },
    ...change,
  },
})
