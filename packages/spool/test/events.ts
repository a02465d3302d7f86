// A spool of small events, and the system's clock and random bytes, for tests.
import { randomBytes } from 'node:crypto'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import type { Clock, Random } from '@rookery/kernel/world.ts'
import { openSpool, type Spool, type SpoolOptions } from '../src/spool.ts'

export interface TestEvent {
  readonly kind: 'login' | 'scan' | 'overflow'
  /** As long as what an event has besides its text. */
  readonly envelope: string
  readonly text: string
}

export const event = (text: string, kind: TestEvent['kind'] = 'login'): TestEvent => ({
  kind,
  envelope: 'e'.repeat(180),
  text,
})

export const clock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms).unref()
    return () => clearTimeout(timer)
  },
}
const random: Random = { bytes: (length) => randomBytes(length) }

const BYTES = limit('test_spool_bytes', 256 * 1024 * 1024)
const UNWRITTEN = limit('test_spool_events_unwritten', 10_000)

export function openTestSpool(
  folder: string,
  { capBytes = BYTES.max, ...over }: Partial<SpoolOptions<TestEvent>> & { capBytes?: number } = {},
): { readonly spool: Spool<TestEvent>; readonly reports: string[] } {
  const reports: string[] = []
  const spool = openSpool<TestEvent>({
    folder,
    clock,
    random,
    report: (message) => reports.push(message),
    capacity: withMax(BYTES, capBytes),
    unwritten: UNWRITTEN,
    repetitions: () => (json) => json.includes('"kind":"scan"'),
    shorten: (long) => ({ ...long, text: long.text.slice(0, 1000) }),
    ...over,
  })
  return { spool, reports }
}
