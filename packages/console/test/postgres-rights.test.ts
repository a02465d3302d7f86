import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freshDatabase, openTestConsole } from './test-console.ts'

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** The URL of an empty database, as an account that may connect to it and create in its schema. */
async function asPlainAccount(): Promise<string> {
  const role = `plain_${process.pid}`
  // The last to be cleaned up is what began first: the role goes once its database has gone.
  onTestFinished(() => run(inject('postgresUrl'), [`DROP ROLE IF EXISTS ${role}`]))
  const url = new URL(await freshDatabase('without tables'))
  await run(url.href, [
    `CREATE ROLE ${role} LOGIN PASSWORD 'plain' NOSUPERUSER NOCREATEDB NOCREATEROLE`,
    `GRANT USAGE, CREATE ON SCHEMA public TO ${role}`,
  ])
  url.username = role
  url.password = 'plain'
  return url.href
}

it('a console needs no right at PostgreSQL but to create in the schema of its database', async () => {
  const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: await asPlainAccount() } })
  expect((await rookery.get('/ping')).status).toBe(200)
  expect((await rookery.post('/flock/note/add', { flock_id: 'flock:default', note: 'a' })).status).toBe(200)
  const created = await rookery.post('/decoytoken/create', {
    kind: 'http',
    memo: 'm',
    flock_id: 'flock:default',
  })
  const { url } = (created.json as unknown as { decoytoken: { url: string } }).decoytoken
  expect((await fetch(url)).status).toBe(200)
  expect((await rookery.get('/incidents/all', { filter_str: '127.0' })).json['incidents']).toHaveLength(1)
})
