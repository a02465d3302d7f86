// Incidents of a Bird that goes to another Flock.
import { describe, expect, it } from 'vitest'
import { addReceiver } from '../../../test/raise-incident.ts'
import { engines } from '../../../test/test-console.ts'
import { openTouched } from '../../../test/touched.ts'

describe.each(engines)('a Bird that was moved (%s)', (engine) => {
  it('raises incidents of its new Flock, and alerts its receivers, also of sources that it knows', async () => {
    const { rookery, nodeId, touch } = await openTouched({ engine })
    const { api, console } = rookery
    const { flock_id } = await api.flocks.create({ name: 'Berlin' })
    const { webhook_id } = await addReceiver(rookery, 'https://a.example.com/', { flock_id })
    const counts = async (flock: string) =>
      (await api.incidentQueries.all({ flock_id: flock })).incidents
        .map(({ description }) => description)
        .filter(({ logtype }) => logtype === '4002')
        .map(({ events_count }) => events_count)
    await touch({ srcHost: '192.0.2.7' })
    await api.flocks.move({ node_id: nodeId, flock_id })
    await touch({ srcHost: '192.0.2.7' })
    await touch({ srcHost: '192.0.2.7' })
    expect([await counts('flock:default'), await counts(flock_id)]).toEqual([['1'], ['2']])
    const alerts = await console.base.reader.selectFrom('delivery').selectAll().execute()
    expect(alerts).toMatchObject([{ webhook_id, flock_id, subject: 'incident' }])
  })
})
