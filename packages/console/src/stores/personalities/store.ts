// Saved personalities, by name.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { PersonalityTables } from './tables.ts'

export type PersonalityRow = PersonalityTables['personality']

/** Personalities that people saved. */
const PERSONALITIES = limit('saved_personalities', 200)

export const listSavedPersonalities = (db: Query): Promise<PersonalityRow[]> =>
  db.selectFrom('personality').selectAll().orderBy('name').execute()

export const findSavedPersonality = (db: Query, name: string): Promise<PersonalityRow | undefined> =>
  db.selectFrom('personality').selectAll().where('name', '=', name).executeTakeFirst()

/** Saves it in place of one of that name. Throws `conflict` when there are too many. */
export async function savePersonality(tx: Tx, row: PersonalityRow): Promise<void> {
  const { others } = await tx.query
    .selectFrom('personality')
    .select((e) => e.fn.countAll<number>().as('others'))
    .where('name', '!=', row.name)
    .executeTakeFirstOrThrow()
  if (Number(others) >= PERSONALITIES.max) {
    PERSONALITIES.hit()
    throw new Fault(
      'conflict',
      `There are ${PERSONALITIES.max} saved personalities: save this one under a name of theirs.`,
    )
  }
  await tx.insertMany('personality', [row], { key: ['name'], then: 'replace' })
}
