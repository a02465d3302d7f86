// The schedule of a delivery queue as transcripts: no console, no database, no clock but a number.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play, type Play } from '../../../test/queue-transcript.ts'

const M = 60
const H = 60 * M
const DAY = 24 * H

const linesOf = (plan: Play): readonly string[] => play(plan).lines

describe('a receiver that fails', () => {
  it('is tried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and switched off after five days', () => {
    const lines = linesOf({ messages: [{ atS: 0 }], answer: () => 500, untilS: 20 * DAY })
    expect(lines).toEqual([
      '00:00:00 send 1: 500',
      '00:00:00 backing-off',
      '00:00:05 sending',
      '00:00:05 send 1: 500',
      '00:00:05 backing-off',
      // From the third failure on, a message behind it would be tried; there is none.
      ...[
        '00:05:05',
        '00:35:05',
        '02:35:05',
        '07:35:05',
        '17:35:05',
        '1d 07:35:05',
        '2d 03:35:05',
        '3d 03:35:05',
        '4d 03:35:05',
      ].flatMap((at) => [`${at} sending`, `${at} send 1: 500`, `${at} trying-next`, `${at} backing-off`]),
      '5d 03:35:05 sending',
      '5d 03:35:05 send 1: 500',
      '5d 03:35:05 switch off: Every message failed for 5 days; the last time: It answered 500.',
      '5d 03:35:05 disabled',
    ])
  })

  it('gets what waited in its order, once it takes messages again', () => {
    const { lines, outbox } = play({
      messages: [{ atS: 0 }, { atS: 1 }, { atS: 2 }],
      answer: (_message, atS) => (atS < 60 ? 503 : 204),
      untilS: DAY,
    })
    expect(lines.filter((line) => line.endsWith('204'))).toEqual([
      '00:05:05 send 1: 204',
      '00:05:05 send 2: 204',
      '00:05:05 send 3: 204',
    ])
    expect(outbox.every(({ state, reduced }) => state === 'delivered' && reduced === 0)).toBe(true)
  })

  it('is left alone as long as it asks for, and no other message is tried meanwhile', () => {
    const lines = linesOf({
      messages: [{ atS: 0, count: 2 }],
      answer: (_message, atS) => (atS < 3 * H ? { status: 429, retryAfterS: 3_600 } : 200),
      untilS: DAY,
    })
    expect(lines.filter((line) => line.includes('send '))).toEqual([
      '00:00:00 send 1: 429',
      '01:00:00 send 1: 429',
      '02:00:00 send 1: 429',
      '03:00:00 send 1: 200',
      '03:00:00 send 2: 200',
    ])
  })

  it('is switched off at once by a 410', () => {
    const { lines, outbox } = play({ messages: [{ atS: 0, count: 2 }], answer: () => 410, untilS: DAY })
    expect(lines).toEqual([
      '00:00:00 send 1: 410',
      '00:00:00 switch off: It answered 410: it wants no message any more.',
      '00:00:00 disabled',
    ])
    expect(outbox.map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  it('is tried at once when a test of it passes', () => {
    const lines = linesOf({
      messages: [{ atS: 0 }],
      answer: (_message, atS) => (atS < 30 ? 500 : 200),
      untilS: H,
      testedAtS: [40],
    })
    expect(lines.slice(-3)).toEqual(['00:00:40 a test passes', '00:00:40 sending', '00:00:40 send 1: 200'])
  })
})

describe('a message that its receiver refuses while it takes others', () => {
  it('goes out reduced after three failures, and the others go on', () => {
    expect(
      linesOf({
        messages: [{ atS: 0, count: 3 }],
        answer: ({ delivery_id, reduced }) => (delivery_id === 1 && reduced === 0 ? 400 : 200),
        untilS: DAY,
      }).filter((line) => /send|trying/.test(line)),
    ).toEqual([
      '00:00:00 send 1: 400',
      '00:00:05 sending',
      '00:00:05 send 1: 400',
      '00:05:05 sending',
      '00:05:05 send 1: 400',
      '00:05:05 trying-next',
      '00:05:05 send 2: 200',
      '00:05:05 sending',
      '00:05:05 send 3: 200',
      '00:05:05 send 1 reduced: 200',
    ])
  })

  it('keeps its own schedule when even that is refused, and is given up after five days', () => {
    const { lines, outbox } = play({
      messages: [{ atS: 0, count: 2 }, ...Array.from({ length: 30 }, (_, i) => ({ atS: i * 5 * H }))],
      answer: ({ delivery_id }) => (delivery_id === 1 ? 500 : 200),
      untilS: 10 * DAY,
    })
    expect(lines.filter((line) => /send 1\b/.test(line))).toEqual([
      '00:00:00 send 1: 500',
      '00:00:05 send 1: 500',
      '00:05:05 send 1: 500',
      '00:05:05 send 1 reduced: 500',
      '02:05:05 send 1 reduced: 500',
      '07:05:05 send 1 reduced: 500',
      '17:05:05 send 1 reduced: 500',
      '1d 07:05:05 send 1 reduced: 500',
      '2d 03:05:05 send 1 reduced: 500',
      '3d 03:05:05 send 1 reduced: 500',
      '4d 03:05:05 send 1 reduced: 500',
      '5d 03:05:05 send 1 reduced: 500',
    ])
    expect(lines.at(-1)).not.toContain('disabled')
    expect(outbox[0]?.state).toBe('failed')
    expect(outbox.slice(1).every(({ state }) => state === 'delivered')).toBe(true)
  })

  it('is found among several: the least tried message behind the head is tried each time', () => {
    const { lines, outbox } = play({
      messages: [{ atS: 0, count: 4 }],
      answer: ({ delivery_id, reduced }) => (delivery_id <= 2 && reduced === 0 ? 400 : 200),
      untilS: 3 * DAY,
    })
    const tried = lines.flatMap((line, at) =>
      lines[at - 1]?.endsWith('trying-next') ? [line.slice(line.indexOf('send'))] : [],
    )
    expect(tried).toEqual(['send 2: 400', 'send 3: 200', 'send 4: 200'])
    expect(outbox.map(({ state, reduced }) => `${state} ${reduced}`)).toEqual([
      'delivered 1',
      'delivered 1',
      'delivered 0',
      'delivered 0',
    ])
  })
})

describe('more messages than a minute takes', () => {
  it('become one digest when the minute is over', () => {
    const lines = linesOf({ messages: [{ atS: 10, count: 150 }], answer: () => 200, untilS: H })
    expect(lines.slice(58)).toEqual([
      '00:00:10 send 59: 200',
      '00:00:10 send 60: 200',
      '00:00:10 rate-limited',
      '00:01:10 fold 90',
      '00:01:10 sending',
      '00:01:10 send digest 151: 200',
    ])
  })

  it('leave a single one as it is', () => {
    const lines = linesOf({ messages: [{ atS: 0, count: 3 }], answer: () => 200, untilS: H, perMinute: 2 })
    expect(lines.slice(2)).toEqual(['00:00:00 rate-limited', '00:01:00 sending', '00:01:00 send 3: 200'])
  })

  it('count the tries of a head that fails, and are not folded with it', () => {
    const lines = linesOf({
      messages: [{ atS: 0, count: 4 }],
      answer: (_message, atS) => (atS < 5 ? 500 : 200),
      untilS: H,
      perMinute: 2,
    })
    expect(lines.filter((line) => /send |fold/.test(line))).toEqual([
      '00:00:00 send 1: 500',
      '00:00:05 send 1: 200',
      '00:01:00 fold 3',
      '00:01:00 send digest 5: 200',
    ])
  })
})

describe('a summary of a backlog', () => {
  it('goes out at its own time, and a success of it wakes a failing head', () => {
    const lines = linesOf({
      messages: [{ atS: 0 }, { atS: 60, subject: 'backlog' }],
      answer: (_message, atS) => (atS < 30 ? 500 : 200),
      untilS: 2 * M,
    })
    expect(lines.filter((line) => line.includes('send '))).toEqual([
      '00:00:00 send 1: 500',
      '00:00:05 send 1: 500',
      '00:01:05 send 2: 200',
      '00:01:05 send 1: 200',
    ])
  })

  it('that failed is tried again at once when another message passes', () => {
    const lines = linesOf({
      messages: [{ atS: 0, subject: 'backlog' }, { atS: 0 }, { atS: 20 }],
      answer: (_message, atS) => (atS < 20 ? 500 : 200),
      untilS: M,
    })
    expect(lines.filter((line) => line.includes('send '))).toEqual([
      '00:00:00 send 2: 500',
      '00:00:05 send 2: 500',
      '00:00:05 send 1: 500',
      '00:00:10 send 1: 500',
    ])
  })
})

describe('a receiver that takes no messages', () => {
  it('loses what waits, and starts anew when it is switched on', () => {
    const { lines, outbox } = play({
      messages: [{ atS: 0, count: 2 }, { atS: 100 }],
      answer: () => 200,
      untilS: H,
      isOn: (atS) => atS >= 50,
    })
    expect(lines).toEqual([
      '00:00:00 drop: It is off.',
      '00:00:00 disabled',
      '00:01:40 sending',
      '00:01:40 send 3: 200',
    ])
    expect(outbox.map(({ state }) => state)).toEqual(['dropped', 'dropped', 'delivered'])
  })
})

it('whatever a receiver answers, no message is left behind or delivered twice', () => {
  const status = fc.constantFrom(200, 200, 204, 400, 500, 503)
  const arrivals = fc.array(
    fc.record({ atS: fc.nat({ max: 2 * H }), count: fc.integer({ min: 1, max: 4 }) }),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(arrivals, fc.array(status, { maxLength: 40 }), (messages, statuses) => {
      const answers = statuses.values()
      const delivered: number[] = []
      const { outbox } = play({
        messages,
        answer: ({ delivery_id, reduced }) => {
          const answered = answers.next().value ?? 200
          if (answered < 300 && reduced === 0) delivered.push(delivery_id)
          return answered
        },
        perMinute: Infinity,
        untilS: 4 * DAY,
      })
      expect(outbox.map(({ state }) => state)).toEqual(outbox.map(() => 'delivered'))
      expect(new Set(delivered).size).toBe(delivered.length)
    }),
  )
})
