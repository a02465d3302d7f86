// PostgreSQL answers, and refuses the console: the same as if it were away, and the log alone says its reason.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase, openTestConsole } from '../test-console.ts'

const TOUCHES = 20

/** A fresh database as an account of its own sees it, and as its owner, who runs statements there. */
async function openAccount() {
  const role = `account_${randomBytes(8).toString('hex')}`
  const ownerUrl = await freshDatabase()
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await owner.end()
  })
  const run = async (statement: string): Promise<void> => {
    await owner.query(statement.replaceAll('$role', role))
    // A console keeps connections for seconds: those that come later are judged anew.
    await owner.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1', [
      role,
    ])
  }
  await run(`CREATE ROLE $role LOGIN PASSWORD 'first'; GRANT CREATE ON SCHEMA public TO $role;
    GRANT ALL ON ALL TABLES IN SCHEMA public TO $role; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO $role`)
  const url = new URL(ownerUrl)
  url.username = role
  url.password = 'first'
  return { url: url.href, run }
}

it.each([
  [
    '28P01',
    'password authentication failed',
    "ALTER ROLE $role PASSWORD 'other'",
    "ALTER ROLE $role PASSWORD 'first'",
  ],
  ['28000', 'is not permitted to log in', 'ALTER ROLE $role NOLOGIN', 'ALTER ROLE $role LOGIN'],
  [
    '42501',
    'permission denied for table',
    'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM $role',
    'GRANT ALL ON ALL TABLES IN SCHEMA public TO $role',
  ],
  [
    '42P01',
    'does not exist',
    'ALTER SCHEMA public RENAME TO moved; CREATE SCHEMA public',
    'DROP SCHEMA public; ALTER SCHEMA moved RENAME TO public',
  ],
])('no touch is lost while PostgreSQL refuses with %s', async (state, said, refuse, accept) => {
  const { url, run } = await openAccount()
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: url }, log })
  const { decoytoken } = await rookery.api.tokens.create({
    kind: 'http',
    memo: 'm',
    flock_id: 'flock:default',
  })
  const touch = (visitor: number): Promise<Response> =>
    fetch(`${rookery.console.tokensUrl}/${decoytoken.decoytoken}`, {
      headers: { 'User-Agent': `visitor ${visitor}` },
    })
  const waiting = async (): Promise<number> => {
    const text = await (await fetch(`${rookery.console.apiUrl}/metrics`)).text()
    return Number(/^rookery_touches_waiting (\d+)/m.exec(text)?.[1])
  }
  await touch(0)
  await expect.poll(waiting).toBe(0)
  await run(refuse)
  const answers = await Promise.all(Array.from({ length: TOUCHES }, (_, n) => touch(n + 1)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { status, json } = await rookery.post('/flock/note/add', { flock_id: 'flock:default', note: 'n' })
  expect(status).toBe(503)
  expect(json['message']).toContain('refuses the console')
  expect(JSON.stringify(json)).not.toContain(said)
  expect(lines.join('\n')).toContain(said)
  expect(lines.join('\n')).toContain(state)
  expect(await waiting()).toBe(TOUCHES)
  await run(accept)
  await expect.poll(waiting).toBe(0)
  const { incidents } = await rookery.api.incidentQueries.all()
  const counts = incidents.map(({ description }) => Number(description.events_count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(TOUCHES + 1)
})
