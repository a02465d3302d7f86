import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clock, event, openTestSpool, type TestEvent } from '../test/events.ts'

const SEGMENT_BYTES = 2000
/** Of 200 to 290 bytes. */
const EVENTS_OF_SEGMENT = 10
const CAP_BYTES = 20_000
const EVENTS = 200

type Kind = TestEvent['kind']

function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rookery-overflow-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** A spool that is full after 80 events, and counts how many it judges. */
function openSmallSpool(path = makeFolder(), over: Parameters<typeof openTestSpool>[1] = {}) {
  let [judged, dropped] = [0, 0]
  const { spool, reports } = openTestSpool(path, {
    segmentBytes: SEGMENT_BYTES,
    capBytes: CAP_BYTES,
    repetitions: () => (json) => {
      judged++
      return json.includes('"kind":"scan"')
    },
    onOverflow(count) {
      dropped += count
      return undefined
    },
    ...over,
  })
  return {
    spool,
    reports,
    path,
    dropped: () => dropped,
    /** How many events `act` makes the spool judge. */
    judges(act: () => void): number {
      const before = judged
      act()
      return judged - before
    },
    kinds(): Kind[] {
      const events = spool.read(0, 1000, 1e6)?.events ?? []
      return events.map((json) => (JSON.parse(json) as TestEvent).kind)
    },
  }
}

/** Wakes by hand what waits for a time. */
function stillClock() {
  const waiting = new Set<() => void>()
  return {
    clock: {
      ...clock,
      after(_ms: number, wake: () => void) {
        waiting.add(wake)
        return () => waiting.delete(wake)
      },
    },
    /** One turn of the event loop; answers whether anything ran. */
    turn(): boolean {
      const now = [...waiting]
      waiting.clear()
      for (const wake of now) wake()
      return now.length > 0
    },
  }
}

test('a spool that is full of events that repeat nothing reads none of them to make room', () => {
  const { spool, dropped, judges } = openSmallSpool()
  for (let i = 0; i < EVENTS; i++) expect(judges(() => spool.append(event('x')))).toBe(1)
  expect(dropped()).toBeGreaterThan(EVENTS / 3)
  spool.close()
})

test('a full spool reads two segments at most before it takes the next event', () => {
  const { spool, dropped, judges } = openSmallSpool()
  for (let i = 0; i < EVENTS; i++) {
    const kind = i % 5 === 0 ? 'scan' : 'login'
    expect(judges(() => spool.append(event('x', kind)))).toBeLessThanOrEqual(1 + 2 * EVENTS_OF_SEGMENT)
  }
  expect(dropped()).toBeGreaterThan(EVENTS / 3)
  spool.close()
})

test('the segment in which most events repeat is thinned first', () => {
  const { spool, dropped, kinds } = openSmallSpool()
  for (let i = 0; i < EVENTS_OF_SEGMENT; i++) spool.append(event('x', i === 0 ? 'scan' : 'login'))
  for (let i = 0; i < 2 * EVENTS_OF_SEGMENT; i++) spool.append(event('x', 'scan'))
  while (dropped() === 0) spool.append(event('x'))
  const scans = kinds().filter((kind) => kind === 'scan').length
  expect([kinds()[0], scans]).toEqual(['scan', 1 + 2 * EVENTS_OF_SEGMENT - dropped()])
  expect(kinds().length).toBe(spool.next() - 1 - dropped())
  spool.close()
})

test('after a restart the events are judged a segment a turn, and a full spool drops what repeats first', () => {
  const first = openSmallSpool()
  for (let i = 0; i < 75; i++) first.spool.append(event('x', i % 2 ? 'scan' : 'login'))
  first.spool.close()

  const { clock, turn } = stillClock()
  const again = openSmallSpool(first.path, { clock })
  let judged = 0
  for (let running = true; running;) {
    const now = again.judges(() => (running = turn()))
    expect(now).toBeLessThanOrEqual(EVENTS_OF_SEGMENT)
    judged += now
  }
  expect(judged).toBeGreaterThan(60)
  for (let i = 0; i < 30; i++) again.spool.append(event('x'))
  const kinds = again.kinds()
  expect(again.dropped()).toBe(105 - kinds.length)
  expect(again.dropped()).toBeGreaterThan(0)
  expect(kinds.filter((kind) => kind === 'login')).toHaveLength(38 + 30)
  again.spool.close()
})

test('segments that are dropped, acknowledged or damaged while they are counted stop nothing', () => {
  const first = openSmallSpool()
  for (let i = 0; i < 75; i++) first.spool.append(event('x'))
  first.spool.close()
  const damaged = join(first.path, '000004.log')
  truncateSync(damaged, statSync(damaged).size - 5)

  const { clock, turn } = stillClock()
  const { spool, dropped, kinds, reports } = openSmallSpool(first.path, { clock })
  turn()
  spool.acknowledge(20)
  turn()
  for (let i = 0; i < 60; i++) spool.append(event('x'))
  while (turn());
  for (let i = 0; i < 60; i++) spool.append(event('x'))
  expect(spool.size()).toBeGreaterThan(kinds().length)
  expect(dropped()).toBeGreaterThan(40)
  expect(reports.filter((said) => !said.includes('was full'))).toEqual([])
  spool.close()
})
