// MaxMind databases with bytes changed and cut, read as the console reads those of its operator.
import { GEO_WANTED, geoInfoOf } from '@rookery/console/flows/ip-facts/geo-info.ts'
import { readAddress } from '@rookery/console/addresses/address-set.ts'
import { BrokenDatabase } from '@rookery/console/flows/ip-facts/mmdb/broken-database.ts'
import { openReader } from '@rookery/console/flows/ip-facts/mmdb/reader.ts'
import { Float, writeDatabase } from '../../../packages/console/test/mmdb-writer.ts'
import type { Dice } from './dice.ts'

export interface MutatedDatabases {
  readonly databases: number
  /** How many still had a record of an address, and how many were refused. */
  readonly found: number
  readonly refused: number
  readonly failed: number
  /** The first few that threw something else, or said too much, with why. */
  readonly failures: readonly string[]
  /** How often it read from one database. */
  readonly mostReads: number
}

const RECORD = {
  autonomous_system_number: 64_500,
  autonomous_system_organization: 'Example Net',
  city: { geoname_id: 2_950_159, names: { de: 'Berlin', en: 'Berlin', ja: 'ベルリン' } },
  country: { iso_code: 'DE', is_in_european_union: true, names: { en: 'Germany' } },
  location: { latitude: new Float(52.5), longitude: new Float(13.4), time_zone: 'Europe/Berlin' },
  subdivisions: [{ iso_code: 'BE', names: { en: 'State of Berlin' } }],
}
const SAMPLES = ([24, 28, 32] as const).map((recordBits) =>
  writeDatabase(
    { '192.0.2.0/24': RECORD, '198.51.100.0/28': { ...RECORD, city: {} }, '2001:db8::/40': RECORD },
    { recordBits },
  ),
)
const ADDRESSES = ['192.0.2.7', '198.51.100.1', '2001:db8::1', '203.0.113.1'].map(
  (it) => readAddress(it) ?? 0,
)
/** Seven texts of 128 characters. */
const MAX_CHARACTERS = 1_024

/** The same dice give the same databases. */
export function readMutatedDatabases(databases: number, dice: Dice): MutatedDatabases {
  const failures: string[] = []
  let [found, refused, failed, mostReads] = [0, 0, 0, 0]
  for (let n = 0; n < databases; n++) {
    const bytes = mutated(SAMPLES[n % SAMPLES.length] ?? Buffer.alloc(0), dice)
    const count = { reads: 0 }
    try {
      found += recordIn(bytes, count)
    } catch (error) {
      if (error instanceof BrokenDatabase) refused++
      else if (++failed <= 5) failures.push(`database: ${String(error)}: ${bytes.toString('base64')}`)
    }
    mostReads = Math.max(mostReads, count.reads)
  }
  return { databases, found, refused, failed, failures, mostReads }
}

function mutated(sample: Buffer, dice: Dice): Buffer {
  const bytes = Buffer.from(sample)
  // Anywhere, in the tree, or in the data; without the metadata, nothing else is looked at.
  const [from, to] = [[0, 1] as const, [0, 0.5] as const, [0.5, 0.75] as const][dice.between(0, 2)] ?? [0, 1]
  for (let changes = dice.between(1, 8); changes > 0; changes--) {
    const at = dice.between(Math.floor(from * bytes.length), Math.floor(to * bytes.length) - 1)
    bytes[at] = dice.between(0, 255)
  }
  return dice.between(0, 9) === 0 ? bytes.subarray(0, dice.between(0, bytes.length)) : bytes
}

/** 1 where an address has a record. */
function recordIn(bytes: Buffer, count: { reads: number }): 0 | 1 {
  const reader = openReader(bytes, bytes.length)
  const read = (at: number, length: number): Buffer => {
    count.reads++
    return bytes.subarray(at, at + length)
  }
  let hasRecord: 0 | 1 = 0
  for (const address of ADDRESSES) {
    const record = reader.lookUp(read, address, GEO_WANTED)
    if (!record) continue
    hasRecord = 1
    const { length } = JSON.stringify(geoInfoOf(record))
    if (length > MAX_CHARACTERS) throw new Error(`${length} characters of one address`)
  }
  return hasRecord
}
