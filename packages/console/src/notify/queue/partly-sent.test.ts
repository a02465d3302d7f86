// Mail to several addresses, one of which takes none: its mailbox is full.
import { describe, expect, it } from 'vitest'
import type { Letter } from '@rookery/kernel/world.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { FLOCK, raiseIncident } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe.each(engines)('an address whose mailbox is full (%s)', (engine) => {
  it('delays no alert to the others of its list, gets what it missed, and ends the list for nobody', async () => {
    const clock = manualClock()
    const taken: { readonly address: string; readonly id: string; readonly text: string }[] = []
    let isFull = true
    const mail = {
      send({ to, id, text }: Letter) {
        const full = isFull ? to.filter((address) => address.startsWith('full')) : []
        for (const address of to.filter((it) => !full.includes(it))) taken.push({ address, id, text })
        const refused = full.map((address) => ({ address, reason: '452 mailbox full', isPermanent: false }))
        return full.length === to.length
          ? Promise.reject(new Error('The mail server answered: 452 mailbox full'))
          : Promise.resolve({ refused })
      },
    }
    const rookery = await openTestConsole({ engine, world: { clock, mail }, parts: ['api'] })
    const { dispatcher } = rookery.console
    const addresses = 'full@example.com,ops@example.com'
    await rookery.post('/flock/settings/notifications/emails', { flock_id: FLOCK, addresses, enabled: true })
    const idsOf = (address: string): readonly string[] =>
      taken.filter((it) => it.address.startsWith(address)).map(({ id }) => id)
    for (let n = 1; n <= 3; n++) {
      await raiseIncident(rookery)
      await dispatcher.idle()
      expect(idsOf('ops')).toHaveLength(n)
    }
    for (let n = 0; n < 4; n++) {
      clock.advance(DAY)
      await dispatcher.idle()
    }
    expect([new Set(idsOf('ops')).size, idsOf('ops').length, idsOf('full')]).toEqual([3, 3, []])
    await raiseIncident(rookery)
    await dispatcher.idle()
    expect(idsOf('ops')).toHaveLength(4)
    isFull = false
    clock.advance(DAY + DAY / 2)
    await dispatcher.idle()
    expect(idsOf('ops')).toHaveLength(4)
    expect(new Set(idsOf('full'))).toEqual(new Set(idsOf('ops')))
    expect(taken.filter(({ text }) => !text.includes('toor'))).toEqual([])
  })
})
