// One source and one technique: transcripts, and random probes against a model that remembers everything.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Technique } from './codec.ts'
import {
  FORGET_MS,
  report,
  REPORT_EVERY_MS,
  SETTLE_MS,
  step,
  TOUCH_SETTLE_MS,
  WINDOW_MS,
  type Probe,
  type ScanState,
} from './step.ts'

const RAW = { ports: 5 }
const syn = (port: number, isOpen = false): Probe => ({ technique: 'syn', port, isOpen })

/** The state after these probes, one every `apartMs`. */
function after(probes: readonly Probe[], apartMs = 10, thresholds = RAW): ScanState {
  let state: ScanState | undefined
  probes.forEach((probe, index) => (state = step(state, probe, index * apartMs, thresholds)))
  if (!state) throw new Error('no probe')
  return state
}

const reported = (state: ScanState, now: number) => {
  const made = report(state, now)
  return made && { logtype: made.logtype, ports: made.ports }
}

describe('a source that sends SYNs', () => {
  it('is a scan with the fifth port in a minute, open ports too, and is reported a second later', () => {
    const probes = [syn(22, true), syn(80, true), syn(81), syn(82), syn(83)]
    expect(after(probes.slice(0, 4)).name).toBe('watching')
    const scan = after(probes)
    expect(scan.name).toBe('scanning')
    expect(report(scan, 40 + SETTLE_MS - 1)).toBeUndefined()
    expect(reported(scan, 40 + SETTLE_MS)).toEqual({ logtype: '5003', ports: [22, 80, 81, 82, 83] })
  })

  it('is no scan with five open ports over more than a minute, nor with one port five times', () => {
    const open = [22, 80, 21, 6379, 443].map((port) => syn(port, true))
    expect(after(open, WINDOW_MS / 4).name).toBe('watching')
    expect(after(Array.from({ length: 50 }, () => syn(22, true))).name).toBe('watching')
  })

  it('is a scan with five closed ports in a day, however slow', () => {
    const closed = [1, 2, 3, 4, 5].map((port) => syn(port))
    expect(after(closed, FORGET_MS / 5).name).toBe('scanning')
    expect(after(closed, FORGET_MS / 4 + 1).name).toBe('watching')
  })

  it('is a touch of closed ports with the third SYN in a minute, and says which ports', () => {
    expect(after([syn(23), syn(23)]).name).toBe('watching')
    expect(after([syn(23), syn(23), syn(22, true)]).name).toBe('watching')
    expect(after([syn(23), syn(23), syn(23)], WINDOW_MS).name).toBe('watching')
    const touched = after([syn(445), syn(22, true), syn(23), syn(23)])
    expect(reported(touched, 30 + TOUCH_SETTLE_MS)).toEqual({ logtype: '5001', ports: [23, 445] })
    expect(report(touched, 30 + TOUCH_SETTLE_MS - 1)).toBeUndefined()
  })

  it('becomes a scan after it was a touch', () => {
    const touched = after([syn(23), syn(23), syn(23)])
    const scan = [1, 2, 3, 4].reduce((state, port) => step(state, syn(port), 100, RAW), touched)
    expect(reported(scan, 100 + SETTLE_MS)).toEqual({ logtype: '5003', ports: [1, 2, 3, 4, 23] })
  })
})

it.each<[Technique, string]>([
  ['null', '5005'],
  ['fin', '5008'],
  ['xmas', '5006'],
  ['os', '5004'],
])('one %s probe is an event %s', (technique, logtype) => {
  const scan = after([{ technique, port: 80, isOpen: true }])
  expect(reported(scan, SETTLE_MS)).toEqual({ logtype, ports: [80] })
})

describe('a scan that goes on', () => {
  const first = report(after([1, 2, 3, 4, 5].map((port) => syn(port))), 40 + SETTLE_MS)!.state

  it('is reported again a minute after the last report, with all its ports', () => {
    const more = [6, 7, 8].reduce((state, port) => step(state, syn(port), 2_000, RAW), first)
    expect(report(more, SETTLE_MS + REPORT_EVERY_MS)).toBeUndefined()
    expect(reported(more, 40 + SETTLE_MS + REPORT_EVERY_MS)?.ports).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('is not reported again for the use of an open port that it has found', () => {
    const found = step(first, syn(22, true), 2_000, RAW)
    const again = report(found, 2 * REPORT_EVERY_MS)!.state
    expect(report(step(again, syn(22, true), 3 * REPORT_EVERY_MS, RAW), FORGET_MS)).toBeUndefined()
    expect(report(step(again, syn(1), 3 * REPORT_EVERY_MS, RAW), FORGET_MS)).toBeDefined()
  })

  it('is forgotten after a day of silence', () => {
    const later = 40 + FORGET_MS + SETTLE_MS
    expect(step(first, syn(9), later, RAW).name).toBe('watching')
  })
})

it('three decoys in a minute are a scan where packets cannot be read', () => {
  const decoys = { ports: 3 }
  expect(after([syn(22, true), syn(80, true)], 10, decoys).name).toBe('watching')
  const scan = after([syn(22, true), syn(80, true), syn(21, true)], 10, decoys)
  expect(reported(scan, 20 + SETTLE_MS)).toEqual({ logtype: '5003', ports: [21, 22, 80] })
})

it('agrees with a model that remembers every probe', () => {
  const probe = fc.record({
    port: fc.integer({ min: 1, max: 12 }),
    isOpen: fc.boolean(),
    waitMs: fc.nat(40_000),
  })
  fc.assert(
    fc.property(fc.array(probe, { maxLength: 60 }), (probes) => {
      let state: ScanState | undefined
      let now = 0
      const past: { port: number; isOpen: boolean; at: number }[] = []
      let isScan = false
      for (const { port, waitMs } of probes) {
        // A port is open, or it is not.
        const isOpen = port > 6
        now += waitMs
        past.push({ port, isOpen, at: now })
        state = step(state, syn(port, isOpen), now, RAW)
        const lately = past.filter(({ at }) => now - at < WINDOW_MS)
        const ports = (of: typeof past): number => new Set(of.map((it) => it.port)).size
        isScan ||= ports(lately) >= 5 || ports(past.filter((it) => !it.isOpen)) >= 5
        expect(state.name === 'scanning').toBe(isScan)
        if (!isScan && lately.filter((it) => !it.isOpen).length >= 3) expect(state.name).toBe('touched')
      }
    }),
    { numRuns: 1_000 },
  )
})
