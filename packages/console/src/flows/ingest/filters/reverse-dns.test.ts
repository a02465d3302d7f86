import { describe, expect, it } from 'vitest'
import type { Resolver } from '@rookery/kernel/world.ts'
import { compileHostList } from '../../../addresses/host-list.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { openReverseDns } from './reverse-dns.ts'

const hosts = compileHostList(['scanners.example.com'])

interface Zones {
  readonly reverse?: Readonly<Record<string, readonly string[]>>
  readonly forward?: Readonly<Record<string, readonly string[]>>
}

function open({ reverse = {}, forward = {} }: Zones, answers: (address: string) => boolean = () => true) {
  const asked: string[] = []
  const late = new Map<string, () => void>()
  const resolver: Resolver = {
    async reverse(address) {
      asked.push(address)
      if (!answers(address)) await new Promise<void>((resolve) => late.set(address, resolve))
      return [...(reverse[address] ?? [])]
    },
    addresses: (name) => Promise.resolve([...(forward[name] ?? [])]),
  }
  const clock = manualClock()
  return { sources: openReverseDns({ resolver, clock }), clock, asked, late }
}

describe('a source', () => {
  it('bears a name of the list if the name leads back to it, in whatever spelling', async () => {
    const { sources, asked } = open({
      reverse: {
        '192.0.2.7': ['a.scanners.example.com'],
        '2001:db8::1': ['other.example', 'B.scanners.example.com.'],
      },
      forward: {
        'a.scanners.example.com': ['198.51.100.1', '192.0.2.7'],
        'B.scanners.example.com.': ['2001:0db8:0:0::0001'],
      },
    })
    for (const address of ['192.0.2.7', '2001:db8::1']) {
      expect(sources.isNamed(address, hosts)).toBeUndefined()
      await Promise.all([sources.lookUp(address, hosts), sources.lookUp(address, hosts)])
      expect(sources.isNamed(address, hosts)).toBe(true)
    }
    expect(asked).toHaveLength(2)
  })

  it('that claims a name which does not lead back bears none', async () => {
    const { sources } = open({
      reverse: { '203.0.113.66': ['a.scanners.example.com'], '203.0.113.67': ['b.scanners.example.com'] },
      forward: { 'a.scanners.example.com': ['192.0.2.7'] },
    })
    for (const address of ['203.0.113.66', '203.0.113.67']) {
      await sources.lookUp(address, hosts)
      expect(sources.isNamed(address, hosts)).toBe(false)
    }
  })

  it('whose name takes longer than a second has none for half a minute; a late answer is taken after all', async () => {
    const { sources, clock, late } = open(
      {
        reverse: { '192.0.2.7': ['a.scanners.example.com'] },
        forward: { 'a.scanners.example.com': ['192.0.2.7'] },
      },
      () => false,
    )
    const answered = sources.lookUp('192.0.2.7', hosts)
    clock.advance(999)
    expect(sources.isNamed('192.0.2.7', hosts)).toBeUndefined()
    clock.advance(1)
    await answered
    expect(sources.isNamed('192.0.2.7', hosts)).toBe(false)
    clock.advance(30_000)
    expect(sources.isNamed('192.0.2.7', hosts)).toBeUndefined()
    late.get('192.0.2.7')?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(sources.isNamed('192.0.2.7', hosts)).toBe(true)
  })

  it('is asked for anew after a minute, with a name after five, and for another list', async () => {
    const { sources, clock, asked } = open({
      reverse: { '192.0.2.7': ['a.scanners.example.com'] },
      forward: { 'a.scanners.example.com': ['192.0.2.7'] },
    })
    const known = () => ['192.0.2.7', '192.0.2.8'].map((it) => sources.isNamed(it, hosts))
    await Promise.all([sources.lookUp('192.0.2.7', hosts), sources.lookUp('192.0.2.8', hosts)])
    clock.advance(59_999)
    expect(known()).toEqual([true, false])
    clock.advance(1)
    expect(known()).toEqual([true, undefined])
    clock.advance(240_000)
    expect(known()).toEqual([undefined, undefined])
    await sources.lookUp('192.0.2.7', hosts)
    expect(sources.isNamed('192.0.2.7', compileHostList(['example.com']))).toBeUndefined()
    expect(asked).toHaveLength(3)
  })

  it('bears a name that only this machine knows; the system is asked by two at a time', async () => {
    const inHosts = '192.0.2.7'
    const pending: (() => void)[] = []
    const resolver: Resolver = {
      reverse: () => Promise.resolve(['a.scanners.example.com']),
      records: () => Promise.resolve([]),
      addresses: () => new Promise((resolve) => pending.push(() => resolve([inHosts]))),
    }
    const sources = openReverseDns({ resolver, clock: manualClock() })
    const asked = [inHosts, '192.0.2.8', '192.0.2.9'].map((it) => sources.lookUp(it, hosts))
    await asked[2]
    expect([pending.length, sources.isNamed('192.0.2.9', hosts)]).toEqual([2, false])
    for (const answer of pending) answer()
    await Promise.all(asked)
    expect([inHosts, '192.0.2.8'].map((it) => sources.isNamed(it, hosts))).toEqual([true, false])
    const later = sources.lookUp('192.0.2.10', hosts)
    await expect.poll(() => pending).toHaveLength(3)
    pending[2]?.()
    await later
  })

  it('that is no address has no name', () => {
    const { sources } = open({})
    for (const text of ['', 'many sources', 'host.example.com'])
      expect(sources.isNamed(text, hosts)).toBe(false)
  })

  it('among a hundred thousand delays no other, and causes few queries', async () => {
    const { sources, clock, asked } = open({}, () => false)
    const answers: Promise<void>[] = []
    for (let n = 0; n < 100_000; n++) {
      const address = `2001:db8::${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}`
      if (sources.isNamed(address, hosts) === undefined) answers.push(sources.lookUp(address, hosts))
    }
    expect([asked.length, answers.length]).toEqual([64, 4_000])
    clock.advance(1_000)
    await Promise.all(answers)
    expect(asked.length).toBeLessThan(5_000)
  })
})
