import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { openHousekeeping } from '../housekeeping.ts'
import { releaseFile } from '../../stores/files/store.ts'
import { readBytes, storedFiles, type KnownFile, type StoreFile } from './stored-files.ts'

const HOUR_MS = 3_600_000
const KIB = 1024

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size)
    yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.alloc(2_000 * KIB))
  throw new Error('the client went away')
}

async function rows({ console }: TestConsole): Promise<{ owners: string[]; chunks: number }> {
  const { reader } = console.base
  const files = await reader.selectFrom('stored_file').select('owner').orderBy('owner').execute()
  const chunks = await reader.selectFrom('stored_file_chunk').select('n').execute()
  return { owners: files.map(({ owner }) => owner), chunks: chunks.length }
}

async function sweep({ console }: TestConsole): Promise<void> {
  const housekeeping = openHousekeeping(console.base)
  await housekeeping.sweep()
  await housekeeping.stop()
}

describe.each(engines)('a stored file (%s)', (engine) => {
  async function open(maxBytes = 64 * 1024 * KIB) {
    const rookery = await openTestConsole({ engine })
    const store = storedFiles({ ...rookery.console.base, maxBytes })
    return { rookery, store }
  }
  const send = (store: StoreFile, bytes: Uint8Array, size = bytes.byteLength, piece = 60_001) =>
    store({ use: 'webroot', owner: 'job', size, source: pieces(bytes, piece) })

  it('comes back byte for byte from every offset, whatever the pieces that it came in', async () => {
    const { rookery, store } = await open()
    const { reader } = rookery.console.base
    for (const size of [0, 1, 256 * KIB - 1, 256 * KIB, 1024 * KIB + 1, 3_000_000]) {
      const bytes = randomBytes(size)
      const file: KnownFile = await send(store, bytes)
      expect(file).toMatchObject({ size, sha256: createHash('sha256').update(bytes).digest('hex') })
      for (const at of [0, 5, 256 * KIB - 7, 1024 * KIB - 1, size - 3]) {
        const offset = Math.max(0, at)
        const read = await readBytes(reader, file, offset, 32 * KIB)
        expect(read.equals(bytes.subarray(offset, offset + 32 * KIB)), `${size} bytes from ${at}`).toBe(true)
      }
    }
  })

  it('of another size than announced, or cut off, is refused and removed by the next sweep', async () => {
    const { rookery, store } = await open()
    await expect(send(store, randomBytes(300_000), 300_001)).rejects.toThrow(
      'The file has 300000 bytes, not the 300001 that were announced. Send it again, whole.',
    )
    await expect(send(store, randomBytes(300_000), 299_999)).rejects.toThrow('more than the 299999 bytes')
    const cut = store({ use: 'share', owner: 'job', size: 9_000 * KIB, source: broken() })
    await expect(cut).rejects.toThrow('the client went away')
    await sweep(rookery)
    expect(await rows(rookery)).toEqual({ owners: [], chunks: 0 })
  })

  it('that nothing needs is removed, one that is needed or being written stays, one begun an hour ago goes', async () => {
    const { rookery, store } = await open()
    const { reader, writer } = rookery.console.base
    const file = await send(store, randomBytes(300_000))
    const gone = await send(store, randomBytes(600_000))
    await writer.write((tx) => releaseFile(tx, gone.fileId))
    const young = {
      use: 'share',
      owner: '',
      sha256: '',
      size: 9,
      stored_at: rookery.console.base.world.clock.now(),
    }
    await writer.write((tx) =>
      tx.insertMany('stored_file', [
        { ...young, file_id: 'young' },
        { ...young, file_id: 'old', stored_at: young.stored_at - HOUR_MS - 1 },
      ]),
    )
    await sweep(rookery)
    const left = await reader.selectFrom('stored_file').select('file_id').execute()
    expect(left.map(({ file_id }) => file_id).toSorted()).toEqual([file.fileId, 'young'].toSorted())
    expect((await rows(rookery)).chunks).toBe(2)
    await expect(readBytes(reader, gone, 0, 9)).rejects.toThrow('The file was deleted.')
  })

  it('beyond the room of all files is refused before a byte is stored', async () => {
    const { rookery, store } = await open(1_000_000)
    await send(store, randomBytes(600_000))
    await expect(send(store, randomBytes(400_001))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('exceed the 1000000 of ROOKERY_FILES_BYTES') as string,
    })
    expect(await rows(rookery)).toEqual({ owners: ['job'], chunks: 3 })
    await send(store, randomBytes(400_000))
  })
})
