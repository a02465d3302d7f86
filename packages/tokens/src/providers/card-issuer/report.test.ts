import { describe, expect, it } from 'vitest'
import { readReport } from './report.ts'

const NOW = Date.UTC(2026, 10, 23, 9, 30, 0)
const DAY_MS = 86_400_000
const use = { id: 'a1', card_id: 'card-7', created: NOW / 1_000 }
const read = (report: unknown) => readReport(Buffer.from(JSON.stringify(report)), NOW)

describe('a report of a card issuer', () => {
  it('is one use, several, or none', () => {
    expect(read(use)).toEqual([
      {
        id: 'a1',
        remoteId: 'card-7',
        at: NOW,
        srcHost: '',
        eventName: 'card_use',
        fields: {},
      },
    ])
    expect(read({ events: [use, { ...use, id: 'a2' }] })).toHaveLength(2)
    expect([read({}), read({ events: [] })]).toEqual([[], []])
  })

  it('has its fields as texts, and leaves out what is empty or odd', () => {
    const [full] = read({
      ...use,
      created: '2026-11-23T10:29:55+01:00',
      event: 'declined',
      amount: 9.9,
      currency: 'eur',
      merchant: { name: 'Kiosk', city: '', country: 7 },
    })
    expect(full).toMatchObject({ at: NOW - 5_000, eventName: 'declined' })
    expect(full?.fields).toEqual({ merchant: { name: 'Kiosk' }, amount: '9.9', currency: 'EUR' })
    expect(read({ ...use, merchant: 'Kiosk', amount: {}, status: [] })[0]?.fields).toEqual({})
  })

  it('is refused by the name of the field that is wrong', () => {
    const refused: readonly (readonly [unknown, string])[] = [
      [[], 'must be a JSON object'],
      ['text', 'must be a JSON object'],
      [{ events: 'none' }, 'events must be a list'],
      [{ ...use, id: '' }, ' id is missing'],
      [{ events: [use, null] }, 'events[1].id is missing'],
      [{ ...use, card_id: 7 }, 'card_id is missing'],
      [{ ...use, created: 'soon' }, 'created must be epoch seconds'],
      [{ ...use, created: -1 }, 'created must be epoch seconds'],
      [{ ...use, created: 1e300 }, 'created must be epoch seconds'],
    ]
    for (const [report, reason] of refused) expect(() => read(report)).toThrow(reason)
    expect(() => readReport(Buffer.from('{'), NOW)).toThrow('must be a JSON object')
  })

  it('leaves out uses that are older than ids are known', () => {
    expect(read({ ...use, created: (NOW - 29 * DAY_MS) / 1_000 })).toHaveLength(1)
    expect(read({ ...use, created: (NOW - 29 * DAY_MS) / 1_000 - 1 })).toEqual([])
  })
})
