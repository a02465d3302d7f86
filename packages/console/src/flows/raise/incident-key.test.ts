import { expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

it.each(engines)('every incident is fetched and acknowledged by its key (%s)', async (engine) => {
  const rookery = await openTestConsole({ engine })
  const sources = ['192.0.2.7', '2001:db8::7', 'x'.repeat(255), 'a b/c?d#e&f%20é', '']
  for (const srcHost of sources) await rookery.console.ingest.fromConsole(sshLogin({ srcHost }))
  const { incidents } = await rookery.api.incidentQueries.all()
  expect(incidents).toHaveLength(sources.length)
  for (const { id, hash_id } of incidents) {
    const { incident } = await rookery.api.incidentQueries.fetch({ incident: id, extended_details: true })
    expect(incident).toMatchObject({ id, hash_id })
    await rookery.api.incidentActions.acknowledge({ incident: id })
  }
  expect((await rookery.api.incidentQueries.unacknowledged()).incidents).toEqual([])
})
