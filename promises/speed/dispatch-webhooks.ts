// How fast a backlog of alerts leaves, each noted as delivered for good.
import { atLeast, exactly, type Case } from '../rig/case.ts'
import { onAlerts, outboxOf } from '../rig/scenes/alerts.ts'
import { openLoader, visitRequest } from '../rig/load/load.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const TOKENS = 500
const CONNECTIONS = 32

const dispatch: Case = {
  id: 'B8',
  title: 'webhook dispatch to one receiver, an incident for each alert, the bound of 60 a minute off',
  run: () =>
    onAlerts(TOKENS, async ({ folder, console, urls, healthy, touch }) => {
      await touch(200, sized(400, 100))
      const before = healthy.alerts.length
      const count = sized(10_000, 1_000)
      const loader = openLoader()
      const load = await loader.run({
        host: '127.0.0.1',
        port: console.tokensPort,
        connections: CONNECTIONS,
        count,
        requests: urls.map(visitRequest),
        firstSource: 10_000_000,
      })
      loader.stop()
      await healthy.until(before + count, 60_000)
      const alerts = healthy.alerts.slice(before)
      const seconds = ((alerts.at(-1)?.at ?? 0) - (alerts[0]?.at ?? 0)) / 1000
      await settled(folder)
      const outbox = outboxOf(folder)
      const wrong = alerts.length - new Set(alerts.map(({ source }) => source)).size
      const undone = exactly(
        'alerts not noted as delivered',
        before + count - (outbox['delivered'] ?? 0),
        '',
        0,
      )
      const repeated = exactly('alerts missing or repeated', wrong, '', 0)
      return {
        ok: undone.isKept && repeated.isKept && load.refused === 0,
        rows: [atLeast('alerts', alerts.length / seconds, '/s', 1_200), undone, repeated],
        note: `${count} incidents raised at ${Math.round(load.perSecond)}/s${scaleNote}`,
      }
    }),
}
export default dispatch

/** Waits until no message is waiting any more; results are noted a moment after the receiver has answered. */
async function settled(folder: string): Promise<void> {
  for (let tries = 0; tries < 100 && (outboxOf(folder)['waiting'] ?? 0) > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
