import { describe, expect, it } from 'vitest'
import { engines, openHouse } from '../../test/house.ts'
import { sshLogin } from '../../test/touches.ts'
import { openHousekeeping } from './housekeeping.ts'

const DAY = 86_400_000

describe.each(engines)('housekeeping (%s)', (engine) => {
  it('forgets which incident takes a touch only once none may, and never the incident', async () => {
    const { console, get } = await openHouse({ engine })
    const now = Date.now()
    await console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.1' }, now - DAY - 60_000))
    await console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.2' }, now))
    const housekeeping = openHousekeeping(console.base, DAY)
    await housekeeping.sweep()
    housekeeping.stop()
    const open = await console.base.reader.selectFrom('open_incident').select('agg_key').execute()
    expect(open.map(({ agg_key }) => agg_key)).toEqual(['0123456789abcdef|ssh|4002|192.0.2.2'])
    expect((await get('/incidents/all')).json['incidents']).toHaveLength(2)
  })
})
