import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode, Float, pointer, writeDatabase, type Value } from '../../../../test/mmdb-writer.ts'
import { readAddress } from '../../../addresses/address-set.ts'
import { BrokenDatabase, type ReadBytes } from './broken-database.ts'
import { decodeMap, type FoundMap, type Wanted } from './decode.ts'
import { openReader } from './reader.ts'

const over =
  (bytes: Buffer): ReadBytes =>
  (at, length) =>
    bytes.subarray(at, at + length)

const CITY = {
  city: { geoname_id: 2_950_159, names: { de: 'Berlin', en: 'Berlin' } },
  country: { iso_code: 'DE', is_in_european_union: true, names: { de: 'Deutschland', en: 'Germany' } },
  location: { accuracy_radius: 20, latitude: new Float(52.5244), time_zone: 'Europe/Berlin' },
  subdivisions: [{ iso_code: 'BE', names: { en: 'State of Berlin' } }, { iso_code: 'XX' }],
} satisfies Value
const WANTED = {
  city: { names: { en: true } },
  country: { iso_code: true, is_in_european_union: true },
  location: { latitude: true, accuracy_radius: true },
  subdivisions: { 0: { names: { en: true } } },
} satisfies Wanted
const BERLIN = {
  city: { names: { en: 'Berlin' } },
  country: { iso_code: 'DE', is_in_european_union: true },
  location: { latitude: 52.5244, accuracy_radius: 20 },
  subdivisions: { 0: { names: { en: 'State of Berlin' } } },
}

function lookUp(database: Buffer, address: string, wanted: Wanted = WANTED): FoundMap | undefined {
  return openReader(database, database.length).lookUp(over(database), readAddress(address) ?? 0, wanted)
}

describe.each([24, 28, 32] as const)('a database with records of %d bits', (recordBits) => {
  const networks = { '192.0.2.0/24': CITY, '198.51.100.0/25': { country: { iso_code: 'FR' } } }

  it('has the record of the network of an address, in whatever spelling', () => {
    const database = writeDatabase({ ...networks, '2001:db8:7::/48': CITY }, { recordBits })
    for (const address of ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.9', '2001:db8:7::1', '2001:DB8:7:0::'])
      expect(lookUp(database, address)).toEqual(BERLIN)
    expect(lookUp(database, '198.51.100.127')).toEqual({ country: { iso_code: 'FR' } })
    for (const address of ['198.51.100.128', '192.0.3.0', '2001:db8:8::', '::', '255.255.255.255'])
      expect(lookUp(database, address)).toBeUndefined()
  })

  it('of IPv4 alone has no IPv6 addresses', () => {
    const database = writeDatabase(networks, { recordBits, ipVersion: 4 })
    expect(lookUp(database, '192.0.2.7')).toEqual(BERLIN)
    expect(lookUp(database, '::ffff:192.0.2.7')).toEqual(BERLIN)
    expect(lookUp(database, '2001:db8:7::1')).toBeUndefined()
  })
})

it('a single value in the place of a map is found as it is', () => {
  const database = writeDatabase({ '192.0.2.0/24': { country: 'DE', city: 7, location: [true] } })
  expect(lookUp(database, '192.0.2.7')).toEqual({ country: 'DE', city: 7, location: {} })
})

describe('bytes that are no database', () => {
  const whole = writeDatabase({ '192.0.2.0/24': CITY })
  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'is no MaxMind DB, or it is cut'],
    ['cut at its end', whole.subarray(0, -300), 'is no MaxMind DB, or it is cut'],
    ['cut at its start', whole.subarray(500), 'is cut: its'],
    [
      'of another format',
      writeDatabase({}, { majorVersion: 3 }),
      'has the format 3 of a MaxMind DB; it must be 2',
    ],
    ['without nodes', writeDatabase({}, { nodeCount: 0 }), 'has 0 as its node_count'],
    ['of too many nodes', writeDatabase({}, { nodeCount: 2 ** 32 - 1 }), 'is cut: its 4294967295 nodes'],
  ])('say what is wrong: %s', (_name, bytes, reason) => {
    expect(() => openReader(bytes, bytes.length)).toThrow(reason)
  })
})

describe('hostile data', () => {
  const read = (data: Buffer): FoundMap =>
    decodeMap({ read: over(data), start: 0, end: data.length }, 0, { a: { b: true } })
  const map = (entries: number, ...rest: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from([0xe0 | entries]), ...rest])
  const a = encode('a')

  it.each<[string, Buffer, string]>([
    ['a pointer to itself', pointer(0), 'has a pointer to a pointer'],
    ['a pointer beyond the data', pointer(4_000_000_000), 'has a value that goes beyond its data'],
    ['a map whose value is the map', map(1, a, map(1, encode('b'), pointer(0))), ''],
    ['a map of 16 million entries', Buffer.from([0xff, 0xff, 0xff, 0xff]), 'goes beyond its data'],
    [
      'arrays in arrays without end',
      map(2, encode('x'), Buffer.alloc(20_000, '0104', 'hex')),
      'more than 4096 values',
    ],
    ['a text of 16 MiB', map(1, a, Buffer.from([0x5f, 0xff, 0xff, 0xff])), 'goes beyond its data'],
    ['a key that is a number', map(1, encode(7), encode(7)), 'has a map with a key that is no text'],
    ['a record that is a text', a, 'has a record that is no map'],
    ['nothing', Buffer.alloc(0), 'goes beyond its data'],
  ])('%s ends, and is refused by its reason or read as nothing', (_name, data, reason) => {
    if (reason === '') expect(read(data)).toEqual({ a: {} })
    else expect(() => read(data)).toThrow(reason)
  })

  it('of a database that was altered anywhere is read or refused, and nothing else happens', () => {
    const whole = writeDatabase({ '192.0.2.0/24': CITY, '2001:db8::/33': { ...CITY, country: {} } })
    const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(whole.length), (changes, cut) => {
        const altered = Buffer.from(whole.subarray(0, cut % 7 === 0 ? cut : whole.length))
        for (const [at, value] of changes) if (at < altered.length) altered[at] = value
        for (const address of ['192.0.2.7', '2001:db8::7', '198.51.100.1'])
          try {
            lookUp(altered, address)
          } catch (error) {
            if (!(error instanceof BrokenDatabase)) throw error
          }
      }),
      { numRuns: 500 },
    )
  })
})
