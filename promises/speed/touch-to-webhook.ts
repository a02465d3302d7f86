// From a touch to the alert in the receiver's hands.
import { atMost, exactly, type Case } from '../rig/case.ts'
import { onAlerts, p50, p99 } from '../rig/scenes/alerts.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const PER_SECOND = 50
const TOKENS = 200

const alertDelay: Case = {
  id: 'B6',
  title: 'a touch until its webhook is received, 50 touches a second',
  run: () =>
    onAlerts(TOKENS, async ({ touch, healthy }) => {
      await touch(PER_SECOND, sized(500, 100))
      const delays = await touch(PER_SECOND, sized(2_000, 200))
      const ids = new Set(healthy.alerts.map(({ id }) => id))
      const repeated = exactly('alerts missing or repeated', healthy.alerts.length - ids.size, '', 0)
      return {
        ok: repeated.isKept,
        rows: [atMost('p50', p50(delays), 'ms', 5), atMost('p99', p99(delays), 'ms', 25), repeated],
        note: `${delays.length} touches, each raising an incident of its own${scaleNote}`,
      }
    }),
}
export default alertDelay
