import { expect, it } from 'vitest'
import { INCIDENT_SOURCES } from '../../stores/incidents/shared.store.ts'
import { sourceRecorder } from './source-recorder.ts'

it('records sources that are neither stored nor recorded, up to the limit of an incident', () => {
  const stored = new Map([
    [7, { known: new Set(['192.0.2.1']), count: 3 }],
    [8, { known: new Set<string>(), count: INCIDENT_SOURCES.max - 1 }],
  ])
  const { add, added } = sourceRecorder(stored)
  for (const host of ['192.0.2.1', '192.0.2.2', '192.0.2.2', 'many sources', '192.0.2.3'])
    add(7, 'many sources', host)
  const hits = INCIDENT_SOURCES.hits()
  for (const host of ['192.0.2.4', '192.0.2.5', '192.0.2.6']) add(8, 'many sources', host)
  add(9, '192.0.2.7', '192.0.2.7')
  expect(added).toEqual([
    { incident_id: 7, nth: 4, src_host: '192.0.2.2' },
    { incident_id: 7, nth: 5, src_host: '192.0.2.3' },
    { incident_id: 8, nth: INCIDENT_SOURCES.max, src_host: '192.0.2.4' },
  ])
  expect(INCIDENT_SOURCES.hits()).toBe(hits + 2)
})
