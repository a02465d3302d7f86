// Many sources at a time: bounds, forged sources, and reports that are neither lost nor doubled.
import { declaredLimits } from '@rookery/kernel/limit.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scanWindow } from './scan-window.ts'
import { REPORT_EVERY_MS, SETTLE_MS } from './step.ts'

const hitsOf = (name: string): number =>
  [...declaredLimits()].find((limit) => limit.name === name)?.hits() ?? Number.NaN

const open = () => scanWindow<string>({ ports: 5 })
type Window = ReturnType<typeof open>

const syn = (window: Window, address: string, port: number, now: number): void =>
  window.add(address, { technique: 'syn', port, isOpen: false }, address, now)

const scan = (window: Window, address: string, now: number, from = 1, count = 5): void => {
  for (let port = from; port < from + count; port++) syn(window, address, port, now)
}

it('reports each source and each technique apart, all ports at once', () => {
  const window = open()
  scan(window, '192.0.2.1', 0, 1, 1_000)
  scan(window, '192.0.2.2', 10)
  window.add('192.0.2.1', { technique: 'fin', port: 9, isOpen: false }, '192.0.2.1', 20)
  expect(window.nextAt()).toBe(SETTLE_MS)
  const reports = window.due(SETTLE_MS + 20)
  expect(reports.map(({ logtype, ports, sample }) => [logtype, ports.length, sample])).toEqual([
    ['5003', 1_000, '192.0.2.1'],
    ['5003', 5, '192.0.2.2'],
    ['5008', 1, '192.0.2.1'],
  ])
  expect(window.nextAt()).toBeUndefined()
  expect(window.due(SETTLE_MS + 20)).toEqual([])
})

it('counts an IPv6 /64 as one source', () => {
  const window = open()
  for (let port = 1; port <= 5; port++) syn(window, `2001:db8:0:1::${port}`, port, 0)
  expect(window.due(SETTLE_MS)).toHaveLength(1)
})

it('notices a scan within a flood of forged sources of its own /24, and of all the world', () => {
  const window = open()
  let forged = 0
  for (let port = 1; port <= 400; port++) {
    for (let n = 0; n < 100; n++) {
      forged++
      syn(window, `203.0.113.${forged % 254}`, 80, port)
      syn(window, `${20 + (forged % 100)}.${forged % 251}.${forged % 241}.${forged % 239}`, 80, port)
    }
    syn(window, '203.0.113.254', port, port)
  }
  const scans = window.due(10_000).filter(({ logtype }) => logtype === '5003')
  expect(scans.map(({ sample }) => sample)).toEqual(['203.0.113.254'])
})

it('takes in a new source of a /24 that has many by its sixteenth packet at the latest', () => {
  const window = scanWindow<string>({ ports: 5 })
  const before = hitsOf('portscan_new_sources_per_network')
  for (let port = 1; port <= 5_000; port++)
    window.add('198.51.100.1', { technique: 'os', port, isOpen: false }, 'x', 0)
  for (let host = 0; host < 60_000; host++) syn(window, `2001:db8:7:${host.toString(16)}::1`, 80, 1)
  expect(hitsOf('portscan_new_sources_per_network')).toBeGreaterThan(before)
  scan(window, '2001:db8:7:ffff::1', 2, 1, 100)
  expect(window.due(10_000).find(({ logtype }) => logtype === '5003')?.ports.length).toBeGreaterThanOrEqual(
    84,
  )
})

it('forgets the scan that was quiet longest for a new one, and loses no report with it', () => {
  const window = open()
  const scans = 2_048 + 100
  const addressOf = (n: number): string => `10.${n >> 8}.${n & 255}.7`
  for (let n = 0; n < scans; n++) scan(window, addressOf(n), n)
  const reports = window.due(scans + SETTLE_MS)
  expect(new Set(reports.map(({ sample }) => sample)).size).toBe(scans)
  expect(reports).toHaveLength(scans)
})

it('reports a scan that lasts at most once a minute, and in the end every port', () => {
  const tries = fc.array(fc.record({ port: fc.integer({ min: 1, max: 65_535 }), waitMs: fc.nat(9_000) }), {
    minLength: 5,
    maxLength: 200,
  })
  fc.assert(
    fc.property(tries, (probes) => {
      const window = open()
      const reports: { at: number; ports: readonly number[] }[] = []
      let now = 0
      const collect = (until: number): void => {
        for (let next = window.nextAt(); next !== undefined && next <= until; next = window.nextAt())
          for (const { logtype, ports } of window.due(next))
            if (logtype === '5003') reports.push({ at: next, ports })
      }
      for (const { port, waitMs } of probes) {
        collect((now += waitMs))
        syn(window, '192.0.2.1', port, now)
      }
      collect(now + 2 * REPORT_EVERY_MS)
      reports.slice(1).forEach(({ at }, index) => {
        expect(at - reports[index]!.at).toBeGreaterThanOrEqual(REPORT_EVERY_MS)
      })
      const tried = [...new Set(probes.map(({ port }) => port))].sort((a, b) => a - b)
      if (tried.length >= 5) expect(reports.at(-1)?.ports).toEqual(tried)
    }),
    { numRuns: 300 },
  )
})
