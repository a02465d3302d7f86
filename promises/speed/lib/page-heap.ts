// The inbox left open while events come in: as many as an hour brings at 20 a second, ten times as fast.
import { setTimeout as sleep } from 'node:timers/promises'
import { openBrowser } from '../../../packages/web/test/browser.ts'
import { longestTask, watchTasks } from '../../../packages/web/test/long-tasks.ts'
import { signUpAt } from '../../../packages/web/test/sign-up.ts'
import { atMost, type Row } from '../../rig/case.ts'
import { onHits } from '../../rig/scenes/hits.ts'
import { UNMETERED } from '../../rig/scenes/console.ts'
import { sized } from '../../rig/scale.ts'

const EVENTS = sized(72_000, 2_000)
const EVENTS_PER_TURN = 20
const TURN_MS = 100
const TOKENS = 100

/** Each event is an incident of its own, by a source of its own. */
export const measureHeap = (): Promise<{ readonly rows: Row[]; readonly note: string }> =>
  onHits(
    TOKENS,
    async ({ console, hit }) => {
      const browser = await openBrowser()
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
        await watchTasks(page)
        await signUpAt(page, /http\S+\/setup#\S+/.exec(console.said())?.[0] ?? '')
        await page.goto(`http://127.0.0.1:${console.port}/`)
        await page.getByRole('status', { name: 'Connection' }).getByText(/^Live/).waitFor()
        const startedAt = performance.now()
        for (let sent = 0; sent < EVENTS; sent += EVENTS_PER_TURN) {
          await hit({ count: EVENTS_PER_TURN, connections: 4 })
          await sleep(Math.max(0, startedAt + (sent / EVENTS_PER_TURN + 1) * TURN_MS - performance.now()))
        }
        const seconds = (performance.now() - startedAt) / 1_000
        const total = Number((await console.get('/incidents/rows', { limit: 1 })).json['total'])
        await page.getByText(new RegExp(`shown of ${total.toLocaleString('en')}$`)).waitFor()
        const devTools = await page.context().newCDPSession(page)
        await devTools.send('HeapProfiler.collectGarbage')
        const { usedSize } = await devTools.send('Runtime.getHeapUsage')
        return {
          rows: [
            atMost('heap of the inbox after an hour of events', usedSize / 1e6, 'MB', 100),
            atMost('its longest task', longestTask(page), 'ms', 200),
          ],
          note: `${EVENTS} events, ${total} incidents, in ${seconds.toFixed(0)} s next to an open inbox`,
        }
      } finally {
        await browser.close()
      }
    },
    { env: UNMETERED },
  )
