import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { openHousekeeping } from '../housekeeping.ts'

const HOUR_MS = 3_600_000

/** A picture of this many bytes: the header of a PNG, then noise. */
function picture(size: number): Buffer {
  const bytes = Buffer.alloc(size, 'noise')
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
  return bytes
}

const upload = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'logo.png', { type: 'text/plain' })
const create = async (rookery: TestConsole, bytes: Uint8Array) =>
  (await rookery.api.tokens.create({ kind: 'web-image', memo: 'm', web_image: upload(bytes) })).decoytoken

async function show(url: string): Promise<{ type: string | null; bytes: Buffer }> {
  const response = await fetch(url)
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

async function stored({ console }: TestConsole): Promise<{ files: number; chunks: number }> {
  const { reader } = console.base
  const files = await reader.selectFrom('token_file').select('file_id').execute()
  const chunks = await reader.selectFrom('token_file_chunk').select('n').execute()
  return { files: files.length, chunks: chunks.length }
}

async function sweep({ console }: TestConsole): Promise<void> {
  const housekeeping = openHousekeeping(console.base)
  await housekeeping.sweep()
  await housekeeping.stop()
}

describe.each(engines)('an uploaded file (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('of any size comes back byte for byte, whatever lies at the border of a piece', async () => {
    for (const size of [24, 262_143, 262_144, 262_145, 5 * 1024 * 1024]) {
      const bytes = picture(size)
      const { url } = await create(rookery, bytes)
      const shown = await show(url)
      expect(shown.type).toBe('image/png')
      expect(shown.bytes.equals(bytes)).toBe(true)
    }
    expect(await stored(rookery)).toEqual({ files: 5, chunks: 1 + 1 + 1 + 2 + 20 })
  })

  it('goes with its token, and no other file with it', async () => {
    const [first, second] = [await create(rookery, picture(300_000)), await create(rookery, picture(99))]
    await rookery.api.tokens.remove({ decoytoken: first.decoytoken })
    await sweep(rookery)
    expect(await stored(rookery)).toEqual({ files: 1, chunks: 1 })
    expect((await show(second.url)).bytes).toEqual(picture(99))
    expect((await show(first.url)).type).toBe('image/gif')
  })

  it('is replaced by another, which the next visitor sees', async () => {
    const { decoytoken, url } = await create(rookery, picture(300_000))
    await rookery.api.tokens.update({ decoytoken, web_image: upload(picture(77)) })
    expect((await show(url)).bytes).toEqual(picture(77))
    await sweep(rookery)
    expect(await stored(rookery)).toEqual({ files: 1, chunks: 1 })
    await rookery.api.tokens.update({ decoytoken, memo: 'Elsewhere' })
    expect((await show(url)).bytes).toEqual(picture(77))
  })

  it('that belongs to no token is removed after an hour', async () => {
    await create(rookery, picture(99))
    await expect(
      rookery.api.tokens.create({
        kind: 'web-image',
        memo: 'm',
        flock_id: 'flock:none',
        web_image: upload(picture(300_000)),
      }),
    ).rejects.toMatchObject({ status: 404 })
    expect(await stored(rookery)).toEqual({ files: 2, chunks: 3 })
    await sweep(rookery)
    expect(await stored(rookery)).toEqual({ files: 2, chunks: 3 })
    const { writer, world } = rookery.console.base
    const past = world.clock.now() - HOUR_MS - 1
    await writer.write(async (tx) => {
      await tx.query.updateTable('token_file').set({ stored_at: past }).execute()
    })
    await sweep(rookery)
    expect(await stored(rookery)).toEqual({ files: 1, chunks: 1 })
  })

  it('of the wrong kind is a 400 that names the parameter, and nothing is stored', async () => {
    await expect(create(rookery, Buffer.from('<html/>'))).rejects.toMatchObject({
      status: 400,
      message: 'Parameter web_image was invalid.',
    })
    await expect(create(rookery, picture(5 * 1024 * 1024 + 1))).rejects.toMatchObject({ status: 400 })
    const { status, text } = await rookery.post('/decoytoken/create', {
      kind: 'web-image',
      memo: 'm',
      web_image: 'text',
    })
    expect([status, text]).toEqual([400, expect.stringContaining('must be a file')])
    expect(await stored(rookery)).toEqual({ files: 0, chunks: 0 })
  })

  it('is not among the settings that a touch reads', async () => {
    const { decoytoken } = await create(rookery, picture(5 * 1024 * 1024))
    const { reader } = rookery.console.base
    const row = await reader
      .selectFrom('token')
      .select('settings')
      .where('token_id', '=', decoytoken)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.settings)).toEqual({
      web_image: {
        fileId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        filename: 'logo.png',
        contentType: 'image/png',
        size: 5 * 1024 * 1024,
      },
    })
  })

  it('is answered to HEAD without its bytes; one that is gone from the database leaves an empty pixel', async () => {
    const { url } = await create(rookery, picture(300_000))
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['300000', ''])
    await rookery.console.base.writer.write(async (tx) => {
      await tx.query.deleteFrom('token_file_chunk').execute()
    })
    expect((await show(url)).type).toBe('image/gif')
    expect((await rookery.api.incidentQueries.all()).incidents).toHaveLength(1)
  })
})

it('a visitor who leaves in the middle of a picture troubles nobody', async () => {
  const rookery = await openTestConsole()
  const { url } = await create(rookery, picture(5 * 1024 * 1024))
  await new Promise<void>((resolve, reject) => {
    request(url, (response) => {
      response.once('data', () => response.destroy())
      response.once('close', resolve)
    })
      .on('error', reject)
      .end()
  })
  expect((await show(url)).bytes.length).toBe(5 * 1024 * 1024)
})
