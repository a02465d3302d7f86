// The summary of a Bird's backlog while further batches of it come in.
import { describe, expect, it } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { registeredBird } from '../../../test/birds.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { addReceiver } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

const S = 1_000
const H = 3_600 * S

describe.each(engines)('a batch that comes while the summary of its Bird is being sent (%s)', (engine) => {
  it('is in the next summary, also where the clock of the console that takes it is behind', async () => {
    const clock = manualClock()
    const reported: unknown[] = []
    let onSend = (): Promise<void> => Promise.resolve()
    const outbound = {
      async send({ body }: OutboundRequest): Promise<OutboundAnswer> {
        reported.push((JSON.parse(body ?? '{}') as { IncidentCount?: unknown }).IncidentCount)
        await onSend()
        return { status: 204, headers: {}, body: '' }
      },
    }
    const rookery = await openTestConsole({ engine, world: { clock, outbound }, parts: ['api'] })
    const { ingest, dispatcher } = rookery.console
    const nodeId = await registeredBird(rookery, { live: 1, last_seen_at: clock.now() })
    await addReceiver(rookery, 'https://a.example.com/')
    let seq = 0
    const batch = (receivedAt: number): Promise<number> => {
      const touch = { ...sshLogin({ nodeId, srcHost: `10.77.0.${++seq}` }).touch, at: receivedAt - H }
      return ingest.fromBird({ nodeId, spoolId: 's', receivedAt, events: [{ seq, touch }] })
    }
    const pass = async (): Promise<void> => {
      clock.advance(10 * S)
      await dispatcher.idle()
    }

    await batch(clock.now())
    await dispatcher.idle()
    expect(reported).toEqual([])
    onSend = async () => {
      onSend = () => Promise.resolve()
      clock.advance(-8 * S)
      await batch(clock.now())
      clock.advance(8 * S)
    }
    await pass()
    await pass()
    expect(reported).toEqual([1, 1])
  })
})
