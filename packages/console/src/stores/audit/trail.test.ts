import type { AuditEntry } from '../../db/audit-entry.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import type { EngineName } from '../../db/query.ts'
import { BROKEN_ACTION, normalizeEntry } from './chain.ts'
import { readAudit } from './store.ts'
import { readNotedEnd, verifyAudit, type AuditVerdict } from './verify.ts'

const entry = (message: string, change: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1_795_000_000_000,
  action_type: 'flock_notes.add',
  message,
  actor: '7c1e90ab',
  actor_ip: '192.0.2.7',
  flock_id: 'flock:default',
  flock_name: 'Default Flock',
  ...change,
})

async function openTrail(engine: EngineName, rows: number) {
  const rookery = await openTestConsole({ engine, parts: [] })
  const { writer } = rookery.console.base
  for (let n = 2; n <= rows; n++) await add(rookery, `Change ${n}.`)
  return { rookery, writer }
}

const add = (rookery: TestConsole, message: string): Promise<void> =>
  rookery.console.base.writer.write(
    () => Promise.resolve(),
    'care',
    () => [entry(message)],
  )

const verify = ({ console: { base } }: TestConsole, known?: string): Promise<AuditVerdict> =>
  verifyAudit(base.reader, base.vault, known === undefined ? undefined : readNotedEnd(known))

/** Attacks with access to the database, and without the master key. */
const tamper = (rookery: TestConsole, statement: string): Promise<unknown> =>
  rookery.console.base.writer.write((tx) => sql.raw(statement).execute(tx.query))

const TAMPERINGS = [
  ["UPDATE audit SET message = 'Nothing happened.' WHERE id = 3", /^row 3 was altered/, 2],
  ["UPDATE audit SET actor = 'somebody' WHERE id = 1", /^row 1 was altered/, 0],
  ['UPDATE audit SET at = at + 1 WHERE id = 5', /^row 5 was altered/, 4],
  ['DELETE FROM audit WHERE id = 2', /^row 2 is missing/, 1],
  ['DELETE FROM audit WHERE id IN (2, 3)', /^rows 2 to 3 are missing/, 1],
  ['DELETE FROM audit WHERE id = 1', /^row 1 is missing/, 0],
  ['DELETE FROM audit WHERE id >= 4', /^rows 4 to 5 are missing at the end/, 3],
  ['DELETE FROM audit', /^every row is missing/, 0],
  ['DELETE FROM audit WHERE id = 2; UPDATE audit SET id = id - 1 WHERE id > 2', /^row 2 was altered/, 1],
  ['DELETE FROM audit_head', /^the record of its end was altered/, 5],
  ["UPDATE audit_head SET last_id = 0, mac = '', seal = ''", /^the record of its end was altered/, 5],
  [
    'DELETE FROM audit WHERE id = 5; UPDATE audit_head SET last_id = 4, mac = (SELECT mac FROM audit WHERE id = 4)',
    /^the record of its end was altered/,
    4,
  ],
  [
    "INSERT INTO audit SELECT 6, at, action_type, 'Added.', actor, actor_ip, flock_id, flock_name, mac FROM audit WHERE id = 5",
    /^row 6 was altered/,
    5,
  ],
] as const

describe.each(engines)('the chain of the audit trail (%s)', (engine) => {
  it('begins with the first key, and follows row by row', async () => {
    const { rookery } = await openTrail(engine, 5)
    const verdict = await verify(rookery)
    expect(verdict).toMatchObject({ rows: 5, failure: undefined })
    expect(verdict.head).toMatch(/^5:[\w-]{43}$/)
    const [first] = await readAudit(rookery.console.base.reader, 'all', { after: 0 }, 'oldest', 1)
    expect(first).toMatchObject({ id: 1, action_type: 'console.first_key', actor: 'console' })
  })

  it('is made of what was committed: a job that fails among others leaves neither row nor gap', async () => {
    const { rookery, writer } = await openTrail(engine, 1)
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        writer.write(
          () => (n % 3 === 1 ? Promise.reject(new Fault('conflict', 'no')) : Promise.resolve(n)),
          'care',
          (value) => [entry(`Change ${value}.`), entry(`And ${value}.`)],
        ),
      ),
    )
    const stayed = settled.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
    const rows = await readAudit(rookery.console.base.reader, 'all', { after: 1 }, 'oldest', 1_000)
    expect(rows.map(({ message }) => message)).toEqual(stayed.flatMap((n) => [`Change ${n}.`, `And ${n}.`]))
    expect(await verify(rookery)).toMatchObject({ rows: 1 + 2 * stayed.length, failure: undefined })
  })

  // What each of them says is the same on both engines; one of each kind shows that the other stores them alike.
  it.each(engine === 'sqlite' ? TAMPERINGS : TAMPERINGS.filter(([, , sound]) => sound === 3))(
    'tells of %s',
    async (statements, says, sound) => {
      const { rookery } = await openTrail(engine, 5)
      for (const statement of statements.split('; ')) await tamper(rookery, statement)
      const { failure, rows } = await verify(rookery)
      expect(failure).toMatch(says)
      expect(rows).toBe(sound)
      // Going on does not cover it up.
      await add(rookery, 'Later.')
      await add(rookery, 'Later still.')
      expect((await verify(rookery)).failure).toBeDefined()
    },
  )

  it('marks the place where it was cut, and goes on', async () => {
    const { rookery } = await openTrail(engine, 5)
    await tamper(rookery, 'DELETE FROM audit WHERE id > 3')
    await add(rookery, 'Later.')
    const rows = await readAudit(rookery.console.base.reader, 'all', {}, 'newest', 2)
    expect(rows.map(({ id, action_type }) => [id, action_type])).toEqual([
      [7, 'flock_notes.add'],
      [6, BROKEN_ACTION],
    ])
  })

  it('put back to an earlier whole state, is given away by an end that was noted elsewhere', async () => {
    const { rookery } = await openTrail(engine, 3)
    const [head] = (
      await rookery.console.base.writer.write((tx) =>
        sql<{ mac: string; seal: string }>`SELECT mac, seal FROM audit_head`.execute(tx.query),
      )
    ).rows
    await add(rookery, 'Change 4.')
    const noted = (await verify(rookery)).head
    expect((await verify(rookery, noted)).failure).toBeUndefined()
    await tamper(rookery, 'DELETE FROM audit WHERE id = 4')
    await tamper(rookery, `UPDATE audit_head SET last_id = 3, mac = '${head?.mac}', seal = '${head?.seal}'`)
    expect((await verify(rookery)).failure).toBeUndefined()
    expect((await verify(rookery, noted)).failure).toBe('row 4 is missing at the end')
    await add(rookery, 'Another change 4.')
    expect((await verify(rookery, noted)).failure).toBe('row 4 is not the one that was noted')
  })

  it('takes any text, and gives it back as it was signed', async () => {
    const rookery = await openTestConsole({ engine, parts: [] })
    const texts = fc.string({ unit: anyCharacter, maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 20 }), async (pairs) => {
        const entries = pairs.map(([message, name]) => entry(message, { flock_name: name, actor: name }))
        await rookery.console.base.writer.write(
          () => Promise.resolve(),
          'care',
          () => entries,
        )
        const rows = await readAudit(rookery.console.base.reader, 'all', {}, 'newest', entries.length)
        expect(rows.reverse().map(({ message }) => message)).toEqual(
          entries.map((it) => normalizeEntry(it).message),
        )
      }),
      { numRuns: 15 },
    )
    expect((await verify(rookery)).failure).toBeUndefined()
  })
})

it('two consoles on one PostgreSQL add to one chain', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const first = await openTestConsole({ env, parts: [] })
  const second = await openTestConsole({ env, parts: [] })
  await Promise.all(Array.from({ length: 60 }, (_, n) => add(n % 2 === 0 ? first : second, `Change ${n}.`)))
  expect(await verify(first)).toMatchObject({ rows: 61, failure: undefined })
})
