// The system's clock, randomness and resolver.
import { randomBytes } from 'node:crypto'
import { lookup, resolve4, resolve6, reverse } from 'node:dns/promises'
import { parseRanges } from '../addresses/ranges.ts'
import { openOutboundStream } from './outbound-stream.ts'
import { openSelfDial } from './self-dial.ts'
import type { Clock, Outbound, Random, Resolver, World } from '@rookery/kernel/world.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    // setTimeout takes at most 2³¹ − 1 ms: longer times are waited in steps.
    const step = Math.min(ms, 2_000_000_000)
    const timer = setTimeout(() => (ms > step ? (cancel = systemClock.after(ms - step, wake)) : wake()), step)
    timer.unref()
    let cancel = (): void => clearTimeout(timer)
    return () => cancel()
  },
}

const PAGE = 4_096
let page = Buffer.alloc(0)
let given = 0

/** Reads a page of bytes at a time, for a call costs more than its bytes; bytes are wiped from the page when given. */
export const systemRandom: Random = {
  bytes(length) {
    if (length > PAGE) return randomBytes(length)
    if (given + length > page.length) {
      page = randomBytes(PAGE)
      given = 0
    }
    const bytes = new Uint8Array(page.subarray(given, given + length))
    page.fill(0, given, given + length)
    given += length
    return bytes
  },
}

export const systemResolver: Resolver = {
  reverse: (address) => reverse(address).catch(() => []),
  addresses: async (name) =>
    (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address),
  records: async (name) =>
    (await Promise.all([resolve4(name).catch(() => []), resolve6(name).catch(() => [])])).flat(),
}

const NOWHERE_PRIVATE = parseRanges('', 'ROOKERY_OUTBOUND_ALLOW')

export const systemWorld = (outbound: Outbound): World => ({
  clock: systemClock,
  random: systemRandom,
  resolver: systemResolver,
  outbound,
  outboundStream: openOutboundStream(NOWHERE_PRIVATE, systemResolver, systemClock),
  selfDial: openSelfDial(NOWHERE_PRIVATE, systemResolver),
})
