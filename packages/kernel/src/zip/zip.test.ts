import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UnusableFile } from '../unusable-file.ts'
import { withContent, zipEntry, type ZipEntry } from './entry.ts'
import { readZip, unpack, verifyZip } from './read.ts'
import { writeZip } from './write.ts'

const LIMITS = { entries: 100, unpackedBytes: 1_000_000, ratio: 100 }
const read = (bytes: Buffer) => readZip(bytes, LIMITS)
const entry = (name: string, content: string) => zipEntry(name, content)

it('entries come back as they were written, whatever they hold', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.tuple(fc.string({ minLength: 1, unit: 'grapheme' }), fc.uint8Array({ maxLength: 300 })),
        {
          selector: ([name]) => name.toLowerCase(),
          maxLength: 8,
        },
      ),
      (files) => {
        const entries = files.map(([name, bytes]) => zipEntry(name, bytes, { attributes: 6 }))
        const found = read(writeZip(entries))
        expect(found.map(({ name, attributes }) => [name, attributes])).toEqual(
          files.map(([name]) => [name, 6]),
        )
        expect(found.map((it) => [...unpack(it, 1_000)])).toEqual(files.map(([, bytes]) => [...bytes]))
      },
    ),
  )
})

it('an entry that is not touched keeps its compressed bytes', () => {
  const packed = deflateRawSync('a'.repeat(99), { level: 1 })
  const kept: ZipEntry = { ...entry('a', 'a'.repeat(99)), packed }
  const [found, changed] = read(writeZip([kept, withContent(entry('b', 'old'), 'new')]))
  expect(found && Buffer.from(found.packed).equals(packed)).toBe(true)
  expect(changed && unpack(changed, 3).toString()).toBe('new')
})

it('more than the limits is refused before anything is unpacked', () => {
  const many = Array.from({ length: 101 }, (_, n) => entry(`${n}`, ''))
  const zeros = entry('zeros', '\0'.repeat(900_000))
  const large: ZipEntry = { ...entry('large', 'x'), size: 1_000_001 }
  expect(() => read(writeZip(many))).toThrow('must be an archive of at most 100 entries, not 101')
  expect(() => read(writeZip([large]))).toThrow('at most 1000000 bytes once unpacked, not 1000001')
  expect(() => read(writeZip([zeros]))).toThrow('compressed at most 100 times')
  expect(() => unpack(entry('a', 'xx'), 1)).toThrow('whose a has at most 1 bytes, not 2')
})

it('entries that overlap, have one name, or are encrypted are refused', () => {
  const one = writeZip([entry('a', 'x'.repeat(50))])
  const twice = Buffer.from(one)
  const central = twice.lastIndexOf('PK\x01\x02', undefined, 'latin1')
  const end = twice.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const directory = twice.subarray(central, end)
  const second = Buffer.from(directory)
  second.write('b', 46)
  twice.writeUInt16LE(2, end + 10)
  expect(() => read(Buffer.concat([twice.subarray(0, end), second, twice.subarray(end)]))).toThrow(
    'do not overlap',
  )
  expect(() => read(writeZip([entry('a', '1'), entry('A', '2')]))).toThrow('distinct names')
  one.writeUInt16LE(1, central + 8)
  expect(() => read(one)).toThrow('not encrypted')
})

it('what has only the beginning of an end is refused, however short', () => {
  const end = writeZip([])
  expect(read(end)).toEqual([])
  for (let length = 0; length < end.length; length++)
    expect(() => read(end.subarray(0, length))).toThrow(UnusableFile)
})

it('an entry that is larger than it says, or has another checksum, is refused', async () => {
  const bomb: ZipEntry = { ...entry('bomb', '\0'.repeat(5_000_000)), size: 10 }
  const wrong: ZipEntry = { ...entry('wrong', 'text'), crc: 1 }
  const broken: ZipEntry = { ...entry('broken', 'text'), packed: Buffer.from('nonsense') }
  for (const it of [bomb, wrong, broken]) {
    const reason = `whose ${it.name} has the size and the checksum that its directory says`
    expect(() => unpack(it, 1_000)).toThrow(reason)
    await expect(verifyZip([it])).rejects.toThrow(reason)
  }
  await verifyZip([entry('right', 'text'), entry('empty', '')])
})

it('whatever the bytes are, they are read or refused with a reason', async () => {
  const whole = writeZip([entry('a', 'text'.repeat(20)), entry('folder/b', 'x')])
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(whole.length), async (changed, length) => {
      const bytes = Buffer.from(whole)
      for (const [at, byte] of changed) bytes[at] = byte
      try {
        await verifyZip(read(bytes.subarray(0, length)))
        await verifyZip(read(bytes))
      } catch (error) {
        expect(error).toBeInstanceOf(UnusableFile)
      }
    }),
    { numRuns: 500 },
  )
})
