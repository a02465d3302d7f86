import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { event, openTestSpool as open, type TestEvent } from '../test/events.ts'
import { crc32c } from './crc32c.ts'
import type { Spool } from './spool.ts'
import { countWaiting } from './waiting-events.ts'

const folders: string[] = []
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'rookery-spool-'))
  folders.push(made)
  return made
}
afterEach(() => folders.splice(0).forEach((path) => rmSync(path, { recursive: true })))

type Stored = TestEvent & { readonly seq: number }
const all = (spool: Spool<TestEvent>, after = 0, maxBytes = 4000): Stored[] => {
  const found: Stored[] = []
  for (;;) {
    const batch = spool.read(found.at(-1)?.seq ?? after, 100, maxBytes)
    if (!batch) return found
    const events = batch.events.map((json) => JSON.parse(json) as Stored)
    expect([events[0]!.seq, events.at(-1)!.seq]).toEqual([batch.first, batch.last])
    found.push(...events)
  }
}
const numbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

test('the checksum is CRC-32C', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, at) => at))).toBe(0x46dd794e)
})

test('events come back in order, once each, over acknowledgements and restarts', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          {
            weight: 8,
            arbitrary: fc.record({
              do: fc.constant('append' as const),
              size: fc.integer({ min: 0, max: 3000 }),
            }),
          },
          {
            weight: 4,
            arbitrary: fc.record({
              do: fc.constant('appendAll' as const),
              sizes: fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 40 }),
            }),
          },
          {
            weight: 2,
            arbitrary: fc.record({
              do: fc.constant('acknowledge' as const),
              part: fc.double({ min: 0, max: 1, noNaN: true }),
            }),
          },
          { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
          { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
        ),
        { maxLength: 80 },
      ),
      (steps) => {
        const path = folder()
        let { spool } = open(path, { segmentBytes: 8000 })
        // As a Bird does before it sends. Acknowledging first would make the next start believe in a power cut.
        spool.reconcile(0)
        let [appended, acked] = [0, 0]
        for (const step of steps) {
          if (step.do === 'append') {
            expect(spool.append(event('é'.repeat(step.size / 2)))).toBe(++appended)
          } else if (step.do === 'appendAll') {
            spool.appendAll(step.sizes.map((size) => event('é'.repeat(size / 2))))
            appended += step.sizes.length
          } else if (step.do === 'acknowledge') {
            acked += Math.floor((appended - acked) * step.part)
            spool.acknowledge(acked)
          } else if (step.do === 'reopen') {
            const id = spool.id()
            spool.close()
            spool = open(path, { segmentBytes: 8000 }).spool
            expect(spool.id()).toBe(id)
            spool.reconcile(acked)
          }
          expect(spool.next()).toBe(appended + 1)
          if (step.do !== 'append' && step.do !== 'appendAll')
            expect(all(spool).map(({ seq }) => seq)).toEqual(numbers(acked + 1, appended))
        }
        spool.close()
      },
    ),
    { numRuns: 40 },
  )
})

test('a file that was truncated anywhere loses only what is behind, and that is reported', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (count, part) => {
        const path = folder()
        const first = open(path).spool
        const file = join(path, '000001.log')
        const ends = [statSync(file).size]
        for (let i = 0; i < count; i++) {
          first.append(event(`p${i}`))
          ends.push(statSync(file).size)
        }
        first.close()
        const cut = ends[0]! + Math.floor((ends.at(-1)! - ends[0]!) * part)
        truncateSync(file, cut)
        const whole = ends.findLastIndex((end) => end <= cut)
        const { spool, reports } = open(path)
        expect(all(spool).map(({ seq }) => seq)).toEqual(numbers(1, whole))
        expect(reports).toHaveLength(ends.includes(cut) ? 0 : 1)
        expect(spool.append(event('next'))).toBe(whole + 1)
        expect(all(spool)).toHaveLength(whole + 1)
        spool.close()
      },
    ),
    { numRuns: 40 },
  )
})

test('a flipped bit is reported, and neither opening nor reading fails', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(7), (position, bit) => {
      const path = folder()
      const first = open(path, { segmentBytes: 1000 }).spool
      for (let i = 0; i < 20; i++) first.append(event(`p${i}`))
      first.close()
      const files = readdirSync(path).filter((name) => name.endsWith('.log'))
      const file = join(path, files[position % files.length]!)
      const bytes = readFileSync(file)
      bytes[position % bytes.length]! ^= 1 << bit
      writeFileSync(file, bytes)
      const { spool, reports } = open(path, { segmentBytes: 1000 })
      const found = all(spool)
      expect(found.every(({ seq, text }) => text === `p${seq - 1}`)).toBe(true)
      expect(found.length).toBeGreaterThanOrEqual(10)
      expect(reports.length).toBeGreaterThan(0)
      const seq = spool.append(event('after'))
      expect(all(spool).at(-1)).toMatchObject({ seq, text: 'after' })
      spool.close()
    }),
    { numRuns: 30 },
  )
})

test('files are deleted only once everything in them is acknowledged', () => {
  const path = folder()
  const { spool } = open(path, { segmentBytes: 1000 })
  for (let i = 0; i < 30; i++) spool.append(event('x'))
  const files = () => readdirSync(path).filter((name) => name.endsWith('.log')).length
  const before = files()
  spool.acknowledge(1)
  expect(files()).toBe(before)
  spool.acknowledge(30)
  expect(files()).toBe(1)
  spool.close()
  expect(open(path).spool.next()).toBe(31)
})

test.each([1, 8])(
  'a full spool drops what repeats first, then the oldest, and counts them in an event, %i appended at once',
  (together) => {
    const path = folder()
    const dropped: number[] = []
    const { spool } = open(path, {
      segmentBytes: 2000,
      capBytes: 20_000,
      onOverflow: (count) => {
        dropped.push(count)
        return event(String(count), 'overflow')
      },
    })
    for (let i = 1; i <= 200; i += together)
      spool.appendAll(numbers(i, i + together - 1).map((n) => event(`p${n}`, n % 2 ? 'scan' : 'login')))
    const stored = all(spool)
    const size = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
    expect(size).toBeLessThan(23_000)
    expect(dropped.length).toBeGreaterThan(0)
    expect(stored.length + dropped.reduce((a, b) => a + b, 0)).toBe(200 + dropped.length)
    const scans = stored.filter(({ kind }) => kind === 'scan').length
    const logins = stored.filter(({ kind }) => kind === 'login').length
    expect(logins).toBeGreaterThan(3 * scans)
    expect(stored.at(-1)!.seq).toBe(spool.next() - 1)
    spool.close()
  },
)

test('numbers that the console has already seen are not given to other events', () => {
  const path = folder()
  const first = open(path).spool
  first.reconcile(0)
  for (let i = 1; i <= 10; i++) first.append(event(`old ${i}`))
  first.close()
  // The machine lost power: 8 to 10 had reached the console, but not the disk.
  const file = join(path, '000001.log')
  truncateSync(file, statSync(file).size - 3 * Math.floor(statSync(file).size / 11))
  const { spool } = open(path)
  const count = all(spool).length
  expect(count).toBeLessThan(10)
  for (let i = 0; i < 20; i++) spool.append(event(`new ${i}`))
  const before = spool.id()
  spool.reconcile(10)
  expect(spool.id()).not.toBe(before)
  expect(all(spool).map(({ text }) => text)).toEqual(numbers(0, 19).map((i) => `new ${i}`))
  spool.reconcile(spool.next() - 1)
  expect(all(spool)).toEqual([])
  spool.close()
})

test('events written after a power cut reach the console, however often the spool is opened before it hears of it', () => {
  const path = folder()
  const first = open(path).spool
  first.reconcile(0)
  for (let i = 1; i <= 10; i++) first.append(event(`old ${i}`))
  first.close()
  // The machine lost power: 6 to 10 had reached the console, but not the disk.
  const file = join(path, '000001.log')
  truncateSync(file, statSync(file).size - 5 * Math.floor(statSync(file).size / 11))
  const kept = all(open(path).spool).length
  for (let start = 1; start <= 3; start++) {
    const { spool } = open(path)
    for (let i = 1; i <= 4; i++) spool.append(event(`new ${start} ${i}`))
    spool.close()
  }
  const { spool } = open(path)
  expect(spool.next() - 1).toBe(kept + 12)
  spool.reconcile(10)
  expect(all(spool)).toHaveLength(12)
  spool.close()
})

test('what was acknowledged under an earlier id is not sent under the new one', () => {
  const path = folder()
  const first = open(path).spool
  first.reconcile(0)
  for (let i = 1; i <= 10; i++) first.append(event(`old ${i}`))
  first.close()
  const { spool } = open(path)
  spool.reconcile(15)
  const id = spool.id()
  spool.close()
  const again = open(path).spool
  again.reconcile(0)
  expect([again.id(), all(again)]).toEqual([id, []])
  again.append(event('new'))
  expect(all(again).map(({ text }) => text)).toEqual(['new'])
  again.close()
})

test('what was noted as acknowledged is not read again after a restart, and not counted as waiting', () => {
  const path = folder()
  const first = open(path).spool
  for (let i = 1; i <= 10; i++) first.append(event(`p${i}`))
  first.acknowledge(7)
  expect(countWaiting(path)).toBe(10)
  first.noteAcknowledged()
  first.close()
  expect(countWaiting(path)).toBe(3)
  const { spool } = open(path)
  expect([spool.id(), all(spool).map(({ seq }) => seq)]).toEqual([first.id(), [8, 9, 10]])
  spool.close()
  expect(countWaiting(join(path, 'none'))).toBe(0)
})

test('an event that is too long is shortened', () => {
  const { spool } = open(folder())
  spool.append(event('x'.repeat(60_000)))
  expect(all(spool, 0, 100_000)).toEqual([{ seq: 1, ...event('x'.repeat(1_000)) }])
  spool.close()
})

test('a folder that cannot be used is named', () => {
  const path = join(folder(), 'file')
  writeFileSync(path, 'not a folder')
  expect(() => open(path)).toThrow(`The spool folder ${path} cannot be used: EEXIST`)
})

test('what comes after a machine went back to a snapshot has numbers that the console does not know', () => {
  const { spool } = open(folder())
  spool.reconcile(0)
  for (let i = 1; i <= 5; i++) spool.append(event(`known ${i}`))
  spool.acknowledge(5)
  const before = spool.id()
  // The memory of the snapshot knows nothing of numbers 6 to 20, which the console has.
  spool.append(event('after'))
  spool.reconcile(20)
  expect(spool.id()).not.toBe(before)
  expect(all(spool).map(({ text }) => text)).toEqual(['after'])
  spool.append(event('later'))
  spool.reconcile(6)
  expect(all(spool).map(({ text }) => text)).toEqual(['later'])
  spool.close()
})
