// How long the page's thread was busy at once: what a person feels as a page that does not answer.
import type { Page } from 'playwright-core'

interface Span {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly ms: number
}

interface Watched {
  readonly tasks: Span[]
  /** Of the test's own work in the page. */
  readonly own: Span[]
}

const SAID = 'long task: '
/** Runs in the page, before its own scripts. */
const OBSERVE = `new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    console.debug('${SAID}' + (performance.timeOrigin + startTime) + ' ' + duration)
}).observe({ type: 'longtask', buffered: true })`
const watched = new WeakMap<Page, Watched>()

/** Before the first page is opened. A task counts from 50 ms on (W3C Long Tasks). */
export async function watchTasks(page: Page): Promise<void> {
  const { tasks } = watched.set(page, { tasks: [], own: [] }).get(page)!
  page.on('console', (message) => {
    if (!message.text().startsWith(SAID)) return
    const [from = 0, ms = 0] = message.text().slice(SAID.length).split(' ').map(Number)
    tasks.push({ from, ms })
  })
  await page.addInitScript({ content: OBSERVE })
}

/** The tasks of this work are the test's, and no person meets them. */
export async function asOwnWork(page: Page, work: () => Promise<void>): Promise<void> {
  const from = Date.now()
  await work()
  watched.get(page)?.own.push({ from, ms: Date.now() - from })
}

/** Milliseconds; 0 where none took 50. */
export function longestTask(page: Page): number {
  const { tasks, own } = watched.get(page) ?? { tasks: [], own: [] }
  const isOwn = (task: Span) => own.some((it) => task.from < it.from + it.ms && it.from < task.from + task.ms)
  return Math.round(Math.max(0, ...tasks.filter((task) => !isOwn(task)).map(({ ms }) => ms)))
}
