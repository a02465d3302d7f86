import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/house.ts'
import { copyOut } from './copy-out.ts'

const LONG_MS = 30_000

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(await freshDatabase())
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const copy = (client: pg.Client, select: string, answerMs = LONG_MS) =>
  copyOut(client, `COPY (${select}) TO STDOUT (FORMAT binary)`, answerMs)

it('brings fields as the server holds them, large and empty and null', async () => {
  const client = await connected()
  const rows = await copy(
    client,
    `SELECT decode(repeat(lpad(to_hex(g), 2, '0'), g * 40000), 'hex'), ''::bytea, NULL::bytea FROM generate_series(0, 5) g`,
  )
  expect(
    rows.map(([large, empty, none]) => [large?.length, new Set(large).size, empty?.length, none]),
  ).toEqual([0, 1, 2, 3, 4, 5].map((g) => [g * 40_000, Math.min(g, 1), 0, null]))
  expect(await copy(client, 'SELECT 1 WHERE false')).toEqual([])
})

it('tells what broke it, and leaves the connection as it was', async () => {
  const client = await connected()
  await expect(copy(client, 'SELECT 1 / (3 - g) FROM generate_series(1, 5) g')).rejects.toMatchObject({
    code: '22012',
  })
  await expect(copy(client, 'SELECT nothing')).rejects.toMatchObject({ code: '42703' })
  expect((await copy(client, 'SELECT 7::int')).map(([field]) => [...(field ?? [])])).toEqual([[0, 0, 0, 7]])
})

it('is given up when the server does not answer in time', async () => {
  const client = await connected()
  await expect(copy(client, 'SELECT pg_sleep(5)', 50)).rejects.toThrow(/timeout/)
})
