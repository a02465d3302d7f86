// A console with a receiver of one kind, which its judge plays: what was sent to it, and what it answered.
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { manualClock } from './manual-clock.ts'
import { FLOCK, raiseIncident } from './raise-incident.ts'
import { serviceJudges } from './service-judges.ts'
import { openTestConsole, type engines } from './test-console.ts'

export async function openYard(kind: string, engine: (typeof engines)[number] = 'sqlite') {
  const service = serviceJudges[kind]
  if (!service) throw new Error(`No judge of ${kind}`)
  const judge = service.open()
  const clock = manualClock()
  const sent: OutboundRequest[] = []
  const verdicts: OutboundAnswer[] = []
  let answering: ((request: OutboundRequest) => Partial<OutboundAnswer> | undefined) | undefined
  const outbound = {
    send(request: OutboundRequest): Promise<OutboundAnswer> {
      sent.push(request)
      const verdict = { status: 200, body: '', headers: {}, ...(answering?.(request) ?? judge(request)) }
      verdicts.push(verdict)
      return Promise.resolve(verdict)
    },
  }
  const rookery = await openTestConsole({ engine, world: { clock, outbound }, alerting: { perMinute: 2 } })
  const path = `/flock/settings/webhooks/${kind}`
  const idle = (): Promise<void> => rookery.console.dispatcher.idle()
  return {
    rookery,
    service,
    sent,
    verdicts,
    idle,
    path,
    said: () => sent.map((it) => service.saidIn?.(it) ?? it.body ?? ''),
    add: (more: object = {}) => rookery.post(`${path}/add`, { flock_id: FLOCK, ...service.given, ...more }),
    answer: (next: typeof answering) => void (answering = next),
    raise: () => raiseIncident(rookery).then(idle),
    async pass(ms: number) {
      clock.advance(ms)
      await idle()
    },
    deliveries: async () => (await rookery.api.deliveries.list({})).deliveries,
  }
}
