import { atMost, exactly, type Case } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { outlastOutage, type Received } from './lib/outage.ts'

const sum = (receivers: readonly Received[], of: (it: Received) => number): number =>
  receivers.reduce((total, it) => total + of(it), 0)

const outage: Case = {
  id: 'G4',
  title: 'receivers that refuse, hang, answer 500 and reset for 24 hours of a moved clock, 10,000 alerts',
  async run() {
    const alerts = sized(10_000, 200)
    const { receivers, undelivered, healthyDelayMs } = await outlastOutage({ alerts })
    return {
      ok: receivers.length === 5,
      rows: [
        exactly(
          'alerts missing',
          sum(receivers, (it) => it.missing),
          '',
          0,
        ),
        exactly(
          'alerts out of order',
          sum(receivers, (it) => it.outOfOrder),
          '',
          0,
        ),
        exactly(
          'alerts accepted twice',
          sum(receivers, (it) => it.repeated),
          '',
          0,
        ),
        exactly(
          'alerts under more than one id',
          sum(receivers, (it) => it.mixedIds),
          '',
          0,
        ),
        exactly('alerts that the log calls undelivered', undelivered, '', 0),
        atMost('delay at the healthy receiver, moved clock', healthyDelayMs, 'ms', 0),
      ],
      note: `${alerts} alerts to each of 5 receivers; tries: ${receivers.map((it) => `${it.name} ${it.tries}`).join(', ')}; the console was restarted half-way${scaleNote}`,
    }
  },
}
export default outage
