// A batch of tokens that is cut, and one that comes twice at once.
import pg from 'pg'
import { ApiError } from '@rookery/sdk/api-error.ts'
import { readCsv } from '@rookery/kernel/csv/read.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openProxy } from '../../../test/postgres-proxy.ts'
import { freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const ROWS = 1_600
const CSV = `kind,memo\n${Array.from({ length: ROWS }, (_, n) => `http,host ${n}\n`).join('')}`

/** The ids of the tokens, in the order of the rows. */
async function create({ api }: TestConsole): Promise<(string | undefined)[]> {
  const { file } = await api.tokens.createMany({ csv: CSV })
  const rows = [...readCsv(new TextDecoder().decode(file?.bytes))].slice(1)
  return rows.map(({ cells }) => cells[1])
}

async function connect(url: string): Promise<() => Promise<number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return async () => Number((await client.query<{ n: string }>('SELECT count(*) AS n FROM token')).rows[0]?.n)
}

it('a batch that the database leaves half done says so, and is completed when it comes again', async () => {
  const { url, directUrl, shut, open } = await openProxy()
  const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: url } })
  const count = await connect(directUrl)
  const cut = create(rookery).catch((error: unknown) => error)
  await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), { timeout: 150_000, interval: 5 })
  shut()
  const refused = await cut
  open()
  const before = await count()
  expect(before).toBeLessThan(ROWS)
  if (!(refused instanceof ApiError)) throw new Error('the batch was not cut')
  expect([refused.status, refused.message]).toEqual([
    503,
    expect.stringMatching(
      /At least \d+ of 1600 tokens are created: send the same CSV again with batch_id \w+/,
    ),
  ])
  const ids = await vi.waitFor(() => create(rookery), { timeout: 150_000, interval: 200 })
  expect(new Set(ids).size).toBe(ROWS)
  expect(await count()).toBe(ROWS)
})

it('a batch that two consoles take at once is created once, and both answer the same', async () => {
  const url = await freshDatabase()
  const env = {
    ROOKERY_DATABASE_URL: url,
    ROOKERY_MASTER_KEY: 'ab'.repeat(32),
    ROOKERY_TOKENS_URL: 'https://tokens.example.org',
  }
  const consoles = [await openTestConsole({ env }), await openTestConsole({ env })]
  const [one, other] = await Promise.all(consoles.map(create))
  expect(one).toEqual(other)
  expect(await (await connect(url))()).toBe(ROWS)
})
