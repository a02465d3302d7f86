import type { StoredFile } from '@rookery/tokens/settings.ts'
import { expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { answeredFiles } from './answered-files.ts'

const MIB = 1024 * 1024
const file = (fileId: string, size = 4): StoredFile => ({
  fileId,
  size,
  filename: 'a.png',
  contentType: 'image/png',
})

/** A database that the test silences; its reads are counted. */
function openFiles(leftMs = 1_400) {
  const clock = manualClock()
  const database = { isSilent: false, reads: 0 }
  const files = answeredFiles({
    clock,
    leftMs: () => leftMs,
    async *read({ size }) {
      database.reads++
      if (database.isSilent) await new Promise(() => undefined)
      yield new Uint8Array(size / 2).fill(1)
      yield new Uint8Array(size / 2).fill(2)
    },
  })
  const lengthOf = async (asked: StoredFile): Promise<number> => {
    let length = 0
    for await (const piece of files(asked)) length += piece.byteLength
    return length
  }
  return { clock, database, files, lengthOf }
}

it('a file that was answered once is answered while the database is silent', async () => {
  const { database, files, lengthOf } = openFiles()
  expect(await lengthOf(file('a'))).toBe(4)
  database.isSilent = true
  const bytes: number[] = []
  for await (const piece of files(file('a'))) bytes.push(...piece)
  expect([bytes, database.reads]).toEqual([[1, 1, 2, 2], 1])
})

it('another is refused when what is left of the answer’s time has passed', async () => {
  const { clock, database, files } = openFiles(100)
  database.isSilent = true
  const first = files(file('a')).next()
  let isOver = false
  const refused = expect(first.finally(() => (isOver = true))).rejects.toThrow('too late')
  clock.advance(99)
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  clock.advance(1)
  await refused
})

it('a silent database has no more than 64 reads to answer', async () => {
  const { clock, database, files } = openFiles()
  database.isSilent = true
  const reads = Array.from({ length: 64 }, (_, n) => files(file(`${n}`)).next())
  const refused = Promise.allSettled(reads)
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(1_400)
  await refused
  await expect(files(file('more')).next()).rejects.toThrow('64 reads')
  expect(database.reads).toBe(64)
})

it('keeps 8 MiB, the files of the last answers, and none that is sent in part', async () => {
  const { database, files, lengthOf } = openFiles()
  for (const name of ['a', 'b', 'a', 'c']) await lengthOf(file(name, 3 * MIB))
  expect(database.reads).toBe(3)
  await lengthOf(file('a', 3 * MIB))
  expect(database.reads).toBe(3)
  await lengthOf(file('b', 3 * MIB))
  expect(database.reads).toBe(4)
  const partly = files(file('d', 4 * MIB))
  await partly.next()
  await partly.return(undefined)
  await lengthOf(file('b', 3 * MIB))
  expect(database.reads).toBe(5)
  await lengthOf(file('d', 4 * MIB))
  expect(database.reads).toBe(6)
})
