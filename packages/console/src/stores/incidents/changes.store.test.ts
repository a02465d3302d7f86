// A list of changes is read in several statements, and a poll goes on from its last row.
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { raiseIncident } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { changedPage } from './changes.store.ts'

/** Runs `write` after the statement of this number, from 1. */
const writingAfter = (statement: number, write: () => Promise<unknown>): KyselyPlugin => {
  let done = 0
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (++done === statement) await write()
      return result
    },
  }
}

describe.each(engines)('changes with deletions (%s)', (engine) => {
  it.each([1, 2, 3])('pass over nothing that changes after statement %i of a page', async (statement) => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 4; n++) await raiseIncident(rookery)
    const ids = (await rookery.api.incidentQueries.all()).incidents.map(({ id }) => id)
    const [changed = '', removed = ''] = ids
    const { reader, writer } = rookery.console.base
    const { updated_id: since } = await writer.write((tx) =>
      tx.query.selectFrom('commit_sequence').select('updated_id').executeTakeFirstOrThrow(),
    )
    await rookery.api.incidentActions.acknowledge({ incident: ids[2] ?? '' })
    const db = reader.withPlugin(
      writingAfter(statement, async () => {
        await rookery.api.incidentActions.acknowledge({ incident: changed })
        await rookery.api.incidentActions.acknowledge({ incident: removed })
        await rookery.api.incidentActions.remove({ incident: removed })
      }),
    )
    const filter = { withDeleted: true, updatedIdAbove: since }
    const first = await changedPage(db, 'all', filter, { limit: 10 })
    const from = first.at(-1)
    const second = await changedPage(reader, 'all', filter, { limit: 10, ...(from && { from }) })
    const keys = await reader.selectFrom('incident').select(['incident_id', 'incident_key']).execute()
    const shown = [...first, ...second].map(
      ({ incident_id }) => keys.find((it) => it.incident_id === incident_id)?.incident_key,
    )
    expect(new Set(shown)).toEqual(new Set([ids[2], changed, removed]))
  })
})
