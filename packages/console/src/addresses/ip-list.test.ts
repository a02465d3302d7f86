import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { readAddress, readRange } from './address-set.ts'
import {
  compileIpList,
  coveringLine,
  entriesOf,
  entryOf,
  ipLine,
  joinEntries,
  linesOf,
  parseIpLine,
} from './ip-list.ts'
import { plainAddress } from './ranges.ts'

const isLogtype = (word: string): boolean => /^[1-9]\d{3,5}$/.test(word)
const rules = { parameter: 'whitelist', portAlone: true, isLogtype }
const LINES = /\r\n|\r|\n/

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((it) => `::ffff:${it}`),
)
/** Few addresses, so that entries and questions meet. */
const near = fc.oneof(
  fc.nat(20).map((n) => `10.0.0.${n}`),
  fc.nat(20).map((n) => `2001:db8::${n.toString(16)}`),
  fc.nat(20).map((n) => `::ffff:10.0.0.${n}`),
)
const range = fc
  .tuple(near, fc.option(fc.nat(128)))
  .map(([ip, bits]) =>
    bits === null
      ? ip
      : `${ip}/${isIP(ip) === 4 ? bits % 33 : ip.startsWith('::f') ? 96 + (bits % 33) : bits}`,
  )
const port = fc.option(fc.constantFrom(22, 80, 443), { nil: undefined })
const logtype = fc.constantFrom('3000', '4002', '22003')
const entry = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(range, port, fc.oneof(fc.constant([]), fc.array(logtype, { maxLength: 3 })))
      .map(([it, at, kinds]) => ipLine(it, at, kinds)),
  },
  fc.constantFrom(':22', ':443'),
)

/** What the lines mean, one after the other, by the platform's own list of addresses. */
function meant(lines: readonly string[], source: string, to?: number, kind?: string): boolean {
  return lines.some((line) => {
    const it = parseIpLine(line, rules)
    if (!it || (it.port !== undefined && it.port !== to)) return false
    if (it.logtypes.length > 0 && !it.logtypes.some((one) => one === kind)) return false
    if (it.range === undefined) return true
    const list = new BlockList()
    const [ip = '', bits] = it.range.split('/')
    // The platform counts IPv4 in with `::/0`; we keep the families apart.
    if (typeof readRange(it.range)?.start !== typeof readAddress(source)) return false
    const mapped = /^::ffff:(\d.*)$/i.exec(ip)
    const plain = mapped?.[1] ?? ip
    const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(plain, family)
    else list.addSubnet(plain, Number(bits) - (mapped ? 96 : 0), family)
    const asked = plainAddress(source)
    return list.check(asked, isIP(asked) === 4 ? 'ipv4' : 'ipv6')
  })
}

describe('a list of addresses', () => {
  it('ignores exactly what its lines say, asked as one', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 12 }),
        near,
        port,
        fc.option(logtype, { nil: undefined }),
        (lines, source, to, kind) => {
          expect(compileIpList(lines).has(readAddress(source), to, kind)).toBe(meant(lines, source, to, kind))
          const line = lines.find((it) => meant([it], source, to, kind))
          expect(coveringLine(lines, { range: source, port: to, logtype: kind })).toBe(line)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('reads an address in every spelling as the same', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(readAddress(`::ffff:${ip}`)).toBe(readAddress(ip))
        expect(readRange(`::ffff:${ip}/120`)).toEqual(readRange(`${ip}/24`))
      }),
    )
    expect(readAddress('2001:DB8:0:0::1%eth0')).toBe(readAddress('2001:db8::1'))
    expect(['', '10.0.0', '10.0.0.256', '1::2::3', 'x', '0x0a000001'].map(readAddress)).toEqual(
      Array(6).fill(undefined),
    )
    expect(
      ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '::ffff:10.0.0.0/24'].map(readRange),
    ).toEqual(Array(5).fill(undefined))
  })

  it('of ten thousand ranges answers as fast as one of ten', () => {
    const of = (count: number) =>
      compileIpList(Array.from({ length: count }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`))
    const time = (list: ReturnType<typeof of>): number => {
      const at = readAddress('192.0.2.1')
      const elapsedMs = processorTimer()
      for (let n = 0; n < 200_000; n++) list.has(at, 22)
      return elapsedMs()
    }
    const [small, large] = [of(10), of(10_000)]
    time(small)
    time(large)
    const best = (list: typeof small): number => Math.min(...Array.from({ length: 5 }, () => time(list)))
    expect(best(large)).toBeLessThan(10 * best(small) + 20)
  })
})

describe('any text', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('1', '.', ':', '/', '#', '[', ']', ' ', '\t', 'f', ',') }),
    entry,
    fc.tuple(entry, fc.string()).map(([it, comment]) => `${it} # ${comment}`),
  )
  it('is a line that compiles, or is refused by its name', () => {
    fc.assert(
      fc.property(
        text.filter((it) => !LINES.test(it)),
        address,
        (line, source) => {
          try {
            parseIpLine(line, rules)
          } catch (error) {
            expect(error).toMatchObject({
              code: 'bad-input',
              details: { whitelist: expect.stringContaining(JSON.stringify(line.slice(0, 80))) as string },
            })
            return
          }
          expect(typeof compileIpList([line]).has(readAddress(source), 22)).toBe('boolean')
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('joined and read again is the same entries, comments and all', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const lines = entriesOf(texts.join('\n'), 'whitelist')
        expect(entriesOf(joinEntries(lines), 'whitelist')).toEqual(lines)
        expect(lines.every((line) => line !== '' && !entryOf(line).includes(','))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('of more than ten thousand lines is refused', () => {
    expect(linesOf('x\n'.repeat(10_000), 'whitelist')).toHaveLength(10_000)
    expect(() => linesOf('x\n'.repeat(10_001), 'whitelist')).toThrow('Parameter whitelist was invalid.')
    expect(() => entriesOf('x,'.repeat(10_001), 'whitelist')).toThrow('Parameter whitelist was invalid.')
  })
})
