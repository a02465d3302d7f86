// A file that a kind cannot make the same again: a signed program.
import { describe, expect, it } from 'vitest'
import { imageDigest, readPeImage } from '@rookery/tokens/authenticode/pe-image.ts'
import { program } from '@rookery/tokens/authenticode/testing/program.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import type { EngineName } from '../../db/query.ts'
import { openHousekeeping } from '../housekeeping.ts'

/** The limits of the forge do not run: a machine may be as slow as it likes. */
const unhurried = (engine: EngineName): Promise<TestConsole> =>
  openTestConsole({ engine, world: { clock: manualClock() } })

const upload = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'setup.exe')

async function downloaded({ console }: TestConsole, decoytoken: string): Promise<Buffer> {
  const url = `${console.apiUrl}/api/v1/decoytoken/download?decoytoken=${decoytoken}`
  const answer = await fetch(url, { headers: { 'X-Auth-Token': ADMIN } })
  expect(answer.headers.get('content-disposition')).toContain('setup.exe')
  return Buffer.from(await answer.arrayBuffer())
}

async function storedFiles({ console: { base } }: TestConsole): Promise<number> {
  const housekeeping = openHousekeeping(base)
  await housekeeping.sweep()
  await housekeeping.stop()
  return (await base.reader.selectFrom('token_file').select('file_id').execute()).length
}

describe.each(engines)('a signed program (%s)', (engine) => {
  it('is the same file at each download, until the token is changed', async () => {
    const rookery = await unhurried(engine)
    const { tokens } = rookery.api
    const given = program({ content: 300_000 })
    const { decoytoken } = (await tokens.create({ kind: 'signed-exe', memo: 'm', exe: upload(given) }))
      .decoytoken
    const first = await downloaded(rookery, decoytoken)
    expect(imageDigest(readPeImage(first))).toEqual(imageDigest(readPeImage(given)))
    expect(first.length).toBeGreaterThan(given.length)
    await tokens.update({ decoytoken, memo: 'Elsewhere' })
    expect((await downloaded(rookery, decoytoken)).equals(first)).toBe(true)

    await tokens.update({ decoytoken, exe_publisher: 'Larchwick Systems' })
    const renamed = await downloaded(rookery, decoytoken)
    expect(renamed.includes('Larchwick Systems')).toBe(true)
    expect(imageDigest(readPeImage(renamed))).toEqual(imageDigest(readPeImage(given)))

    const other = program({ isPlus: false })
    await tokens.update({ decoytoken, exe: upload(other) })
    const replaced = await downloaded(rookery, decoytoken)
    expect(imageDigest(readPeImage(replaced))).toEqual(imageDigest(readPeImage(other)))
    expect(replaced.includes('Larchwick Systems')).toBe(true)
    expect(await storedFiles(rookery)).toBe(1)
  })

  it('is refused where it is none, and nothing is stored', async () => {
    const rookery = await unhurried(engine)
    const refused = (bytes: Uint8Array) =>
      rookery.api.tokens.create({ kind: 'signed-exe', memo: 'm', exe: upload(bytes) })
    await expect(refused(Buffer.from('#!/bin/sh'))).rejects.toMatchObject({ status: 400 })
    await expect(refused(program().subarray(0, 600))).rejects.toMatchObject({ status: 400 })
    await expect(rookery.api.tokens.create({ kind: 'signed-exe', memo: 'm' })).rejects.toMatchObject({
      status: 400,
    })
    expect(await storedFiles(rookery)).toBe(0)
  })
})
