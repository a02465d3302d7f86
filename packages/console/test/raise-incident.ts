// Raises incidents and adds receivers: for tests of alerts.
import { parseRanges } from '../src/addresses/ranges.ts'
import { openOutbound } from '../src/world/outbound.ts'
import { systemResolver } from '../src/world/system.ts'
import { onTestFinished } from 'vitest'
import type { Outbound } from '@rookery/kernel/world.ts'
import type { TestConsole } from './test-console.ts'

export const FLOCK = 'flock:default'

/** Outbound HTTP that may reach receivers on loopback; `authorities` certify those with TLS. */
export function loopbackOutbound(authorities: readonly string[] = []): Outbound {
  const outbound = openOutbound(parseRanges('127.0.0.0/8', 'allow'), systemResolver, authorities)
  onTestFinished(() => outbound.close())
  return outbound
}

export interface RaisedIncident {
  readonly nodeId?: string
  readonly srcHost?: string
  readonly memo?: string | null
  readonly muted?: boolean
  readonly flockId?: string
  readonly fields?: Readonly<Record<string, string>>
  /** How long ago it happened, by the Bird's clock. */
  readonly agoMs?: number
  readonly logtype?: string
}

let raised = 0

/** Raises one incident of the console's own; each has another source, so that none is merged into another. */
export async function raiseIncident(
  rookery: TestConsole,
  {
    nodeId = '00000000000000aa',
    srcHost,
    memo = null,
    muted = false,
    flockId = FLOCK,
    fields = {},
    agoMs = 0,
    logtype = '4002',
  }: RaisedIncident = {},
): Promise<string> {
  const source = srcHost ?? `10.9.${(raised >> 8) & 255}.${raised++ & 255}`
  const at = rookery.console.base.world.clock.now()
  await rookery.console.ingest.fromConsole({
    receivedAt: at,
    touch: {
      nodeId,
      logtype,
      instance: 'ssh',
      at: at - agoMs,
      srcHost: source,
      srcPort: 40_000,
      dstHost: '10.0.0.5',
      dstPort: 22,
      fields: { USERNAME: 'root', PASSWORD: 'toor', ...fields },
    },
    subject: { flockId, name: 'bird-1', memo, ipAddress: '10.0.0.5', ippers: '', macAddress: '', muted },
  })
  return source
}

/** Adds a receiver to a Flock; answers its secret and id. */
export async function addReceiver(
  rookery: TestConsole,
  url: string,
  params: Record<string, string> = {},
): Promise<{ webhook_id: string; secret: string }> {
  return rookery.api.flockWebhooks.addGeneric({ flock_id: FLOCK, url, ...params })
}
