// The queue of one receiver. Its messages go out one after the other; what the receiver cannot take alone goes out
// apart, on its own schedule; and nothing here is known to, or waited for by, any other receiver.
import type { Base } from '../base.ts'
import { readVersion } from '../db/config-cache.ts'
import { foldedIncidents } from '../stores/deliveries/summary.store.ts'
import { loadApart, loadWaiting, type Outcome, type QueuedRow } from '../stores/deliveries/queue.store.ts'
import { endWaiting } from '../stores/deliveries/store.ts'
import { openBudget } from './budget.ts'
import { compose } from './compose.ts'
import { foldIntoDigest } from './digest.ts'
import { openHealth } from './health.ts'
import { openLoop } from './loop.ts'
import { receiverNow, type Receiver } from './receiver.ts'
import type { Results } from './results.ts'
import { PATIENCE_MS, retryDelay } from './schedule.ts'
import type { Sender, Verdict } from './senders/sender.ts'

export interface Lane {
  /** New messages wait; `apart` are those that keep their own schedule. */
  wake(which: { apart: boolean }): void
  /** The receiver has just been seen to work: try again at once. */
  probe(): void
  idle(): Promise<void>
  stop(): void
}

export interface Alerting extends Pick<Base, 'reader' | 'writer' | 'config' | 'vault' | 'world' | 'log'> {
  /** The console's own address, for links. */
  readonly consoleUrl: () => string
  /** Alerts a minute to one receiver before the rest becomes a digest. */
  readonly perMinute: number
  /** The way to a receiver of any kind. */
  readonly send: Sender
}

const PAGE = 200
/** Of a failing queue, how far behind its head messages are tried in turn. */
const REACH = 50
/** After so many failures the head is no longer trusted to stand for the receiver. */
const HEAD_TRIES = 3
const BROKEN_MS = 1_000

export function openLane(
  webhookId: string,
  alerting: Alerting,
  results: Results,
  onNotice: () => void,
): Lane {
  const { world, reader, writer, config, log } = alerting
  const { clock } = world
  const budget = openBudget(alerting.perMinute)
  const health = openHealth(webhookId, alerting, results, onNotice)
  /** The last message of the ordered queue that is done with. */
  let cursor = 0
  let page: QueuedRow[] = []
  /** The first message while it fails. */
  let head: QueuedRow | undefined
  /** Set when the last try passed: then nobody waits for a schedule. */
  let alive = false
  let overflowed = false
  let hurryApart = false
  let stopped = false

  function forget(): void {
    page = []
    head = undefined
    alive = false
  }

  /** The receiver, if messages may go to it now; what waits for one that takes none is dropped. */
  async function receiver(): Promise<Receiver | undefined> {
    if (stopped) return undefined
    let now = await receiverNow(alerting, webhookId)
    if (now === undefined || now === 'off') {
      // Nothing is dropped on hearsay: another console may have added it a moment ago.
      config.observe(await readVersion(reader))
      now = await receiverNow(alerting, webhookId)
    }
    if (now !== undefined && now !== 'off') return now
    forget()
    await results.settled()
    const why = now === 'off' ? 'Alerts of the Flock are off.' : 'The webhook is not there any more.'
    await writer.write((tx) => endWaiting(tx, webhookId, 'dropped', why))
    return undefined
  }

  /** Sends in order until nothing waits, the minute is full, or the first message fails. */
  async function sendInOrder(): Promise<number | undefined> {
    for (;;) {
      const to = await receiver()
      if (!to) return undefined
      const now = clock.now()
      const opensAt = budget.opensAt(now)
      if (opensAt > now) {
        if (!overflowed && !head && page.length === 0) page = await nextPage()
        if (!overflowed && !head && page.length === 0) return undefined
        overflowed = true
        page = []
        return opensAt
      }
      if (overflowed && !head) {
        await results.settled()
        await foldIntoDigest(alerting, webhookId, to.flockId, cursor)
      }
      overflowed = false
      if (page.length === 0 && !head) page = await nextPage()
      const row = head ?? page.shift()
      if (!row) return undefined
      if (!alive && row.attempts > 0 && row.next_at > now) {
        head = row
        page = []
        return row.next_at
      }
      budget.spend(now)
      const verdict = await attempt(to, row, true)
      if (verdict.passed) {
        if (!alive) wakeApart()
        alive = true
      } else {
        alive = false
        head = row
        page = []
        if (verdict.gone || (await health.failed(to, verdict))) continue
        if (row.attempts < HEAD_TRIES || verdict.wishMs > 0 || !(await laterPasses(to, row))) continue
        setApart(row, verdict)
        alive = true
      }
      head = undefined
      cursor = row.delivery_id
    }
  }

  const nextPage = (): Promise<QueuedRow[]> => loadWaiting(reader, webhookId, cursor, PAGE)

  /** Tries one message behind the failing head, each time the one tried least. */
  async function laterPasses(to: Receiver, failing: QueuedRow): Promise<boolean> {
    await results.settled()
    const later = await loadWaiting(reader, webhookId, failing.delivery_id, REACH)
    const [next] = later.sort((a, b) => a.attempts - b.attempts || a.delivery_id - b.delivery_id)
    if (!next || stopped) return false
    const { passed } = await attempt(to, next, true)
    // It is done with, and must not be met again behind the head.
    if (passed) await results.settled()
    return passed
  }

  /** The head alone is at fault: from now on it goes its own way, without the words that may be to blame. */
  function setApart(row: QueuedRow, { status, reason }: Verdict): void {
    row.reduced = 1
    row.next_at = clock.now()
    results.note(outcome(row, 'waiting', status, reason))
    apart.wake()
  }

  /** Sends what is due of the messages that hold nobody back. */
  async function sendApart(): Promise<number | undefined> {
    for (;;) {
      await results.settled()
      const to = await receiver()
      if (!to) return undefined
      const rows = await loadApart(reader, webhookId, PAGE)
      const row = rows.find(
        (it) => it.next_at <= clock.now() || (hurryApart && it.reduced === 0 && it.attempts > 0),
      )
      if (!row) {
        hurryApart = false
        return rows[0]?.next_at
      }
      const { passed } = await attempt(to, row, false)
      if (passed) hurryOrdered()
      else hurryApart = false
    }
  }

  async function attempt(to: Receiver, row: QueuedRow, ordered: boolean): Promise<Verdict> {
    await results.room()
    const message = await compose(reader, row, alerting.consoleUrl())
    const verdict = await alerting.send(to, message, row.message_id)
    const now = clock.now()
    row.attempts++
    if (verdict.passed) {
      results.note(outcome(row, 'delivered', verdict.status, verdict.reason), await told(row))
      await health.passed()
      return verdict
    }
    row.next_at = now + retryDelay(row.attempts, world.random, verdict.wishMs)
    const given = !ordered && now - row.created_at > PATIENCE_MS
    results.note(outcome(row, given ? 'failed' : 'waiting', verdict.status, verdict.reason))
    log.debug(
      { webhook: webhookId, message: row.message_id, attempts: row.attempts, reason: verdict.reason },
      'alert failed',
    )
    if (verdict.gone) await health.end(to, 'It answered 410: it wants no message any more.')
    return verdict
  }

  const outcome = (row: QueuedRow, state: Outcome['state'], status: number, reason: string): Outcome => ({
    delivery_id: row.delivery_id,
    attempts: row.attempts,
    reduced: row.reduced,
    next_at: row.next_at,
    delivered_at: state === 'delivered' ? clock.now() : null,
    state,
    status,
    reason,
  })

  /** The incidents that the receiver now knows of. */
  async function told({ subject, incident_id, message_id }: QueuedRow): Promise<readonly number[]> {
    if (subject === 'incident') return [incident_id]
    return subject === 'notice' ? [] : foldedIncidents(reader, message_id)
  }

  function hurryOrdered(): void {
    if (!head) return
    alive = true
    ordered.wake()
  }
  function wakeApart(): void {
    hurryApart = true
    apart.wake()
  }

  const onError = (error: unknown): number => {
    if (!stopped)
      log.error({ err: error, webhook: webhookId }, 'a queue of alerts stumbled; it goes on in a second')
    forget()
    return BROKEN_MS
  }
  const ordered = openLoop(clock, sendInOrder, onError)
  const apart = openLoop(clock, sendApart, onError)

  return {
    wake(which) {
      ordered.wake()
      if (which.apart) apart.wake()
    },
    probe() {
      hurryOrdered()
      wakeApart()
    },
    async idle() {
      await ordered.idle()
      await apart.idle()
    },
    stop() {
      stopped = true
      ordered.stop()
      apart.stop()
    },
  }
}
