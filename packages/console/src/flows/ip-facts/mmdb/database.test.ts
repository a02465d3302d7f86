import { renameSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeDatabase, type Value } from '../../../../test/mmdb-writer.ts'
import { ownFolder } from '../../../../test/own-folder.ts'
import { readAddress } from '../../../addresses/address-set.ts'
import { openDatabase, type Database } from './database.ts'

function newFile(bytes: Buffer): string {
  const folder = ownFolder()
  const path = join(folder, 'geo.mmdb')
  writeFileSync(path, bytes)
  return path
}

async function open(path: string): Promise<Database> {
  const database = await openDatabase(path)
  onTestFinished(() => database.close())
  return database
}

const lookUp = (database: Database, address: string) =>
  database.lookUp(readAddress(address) ?? 0, { n: true, name: true })

/** Records lie in many pages: each is a KiB long. */
const manyPages = (name: string): Buffer =>
  writeDatabase(
    Object.fromEntries(
      Array.from({ length: 200 }, (_, n): [string, Value] => [
        `10.${n}.0.0/16`,
        { before: `${n}`.repeat(500), name: `${name} ${n}`, n },
      ]),
    ),
  )

it('a file of many pages is read by many at once, each record as it is', async () => {
  const database = await open(newFile(manyPages('network')))
  expect(database.metadata).toMatchObject({ type: 'Rookery-Test', builtAt: Date.UTC(2026, 10, 1) })
  const found = await Promise.all(Array.from({ length: 200 }, (_, n) => lookUp(database, `10.${n}.1.2`)))
  expect(found).toEqual(Array.from({ length: 200 }, (_, n) => ({ n, name: `network ${n}` })))
})

it('a file that another one replaced is still read', async () => {
  const path = newFile(manyPages('old'))
  const database = await open(path)
  writeFileSync(`${path}.new`, manyPages('new'))
  renameSync(`${path}.new`, path)
  expect(await lookUp(database, '10.7.0.1')).toEqual({ n: 7, name: 'old 7' })
})

it('a file that is overwritten or cut where it lies is refused from then on', async () => {
  for (const change of [
    (path: string) => writeFileSync(path, manyPages('other')),
    (path: string) => truncateSync(path, 5_000),
  ]) {
    const path = newFile(manyPages('network'))
    const database = await open(path)
    change(path)
    // Again: what was read of another version must not stay in memory.
    for (let times = 0; times < 3; times++)
      await expect(lookUp(database, '10.99.0.1')).rejects.toThrow('was changed while it was read')
  }
})

it('what was read before a file was overwritten is still answered, and mixed with nothing of the other', async () => {
  const path = newFile(manyPages('old'))
  const database = await open(path)
  await lookUp(database, '10.7.0.1')
  writeFileSync(path, manyPages('other'))
  await expect(lookUp(database, '10.150.0.1')).rejects.toThrow('was changed while it was read')
  expect(await lookUp(database, '10.7.0.1')).toEqual({ n: 7, name: 'old 7' })
})

it('what is no file, or no database, is refused', async () => {
  const path = newFile(Buffer.from('not a database'))
  await expect(openDatabase(path)).rejects.toThrow('is no MaxMind DB, or it is cut')
  await expect(openDatabase(`${path}.absent`)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(openDatabase(tmpdir())).rejects.toMatchObject({ code: 'EISDIR' })
})
