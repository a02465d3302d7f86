// The schedules of a session with the console, as transcripts: time in ms, state, outputs.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHUNK_BYTES, type Body, type Frame } from '@rookery/link/messages.ts'
import { asText, transcript } from '../../test/transcript.ts'
import {
  initial,
  step,
  wakeAt,
  type ConsoleSessionContext,
  type ConsoleSessionInput,
  type ConsoleSessionOutput,
} from './step.ts'

const SPOOL = 'ab'.repeat(16)
const registered: Frame = {
  kind: 'REGISTERED',
  body: { nodeId: '0'.repeat(16), settingsTag: null, serverMs: 1, acked: { spoolId: SPOOL, upto: 0 } },
}
const pending: Frame = { kind: 'PENDING', body: { serverMs: 1 } }
const ack: Frame = { kind: 'HEARTBEAT_ACK', body: { serverMs: 1 } }
const frame = (of: Frame): ConsoleSessionInput => ({ name: 'frame', frame: of })
const opened: ConsoleSessionInput = { name: 'opened' }
const woken: ConsoleSessionInput = { name: 'woken' }

const text = JSON.stringify({ note: 'x'.repeat(CHUNK_BYTES) })
const offer: Body<'SETTINGS_OFFER'> = {
  tag: 'new',
  seq: 7,
  sha256: createHash('sha256').update(text).digest('hex'),
  size: text.length,
}
const chunk = (offset: number, bytes: string, tag = 'new'): ConsoleSessionInput =>
  frame({ kind: 'SETTINGS_CHUNK', body: { tag, offset, bytes: Buffer.from(bytes).toString('base64') } })

/** An output in a word: a frame by its kind, a close with its reason and `retryMs`. */
function describeOutput(output: ConsoleSessionOutput): string {
  switch (output.name) {
    case 'send':
      return output.frame.kind
    case 'enter':
      return `enter-${output.phase}`
    case 'close':
      return `close(${[output.reason, output.retryMs].filter((part) => part !== undefined).join(', ')})`
    case 'apply-settings':
      return `apply(${output.bundle.tag})`
    default:
      return output.name
  }
}

const run = (
  script: readonly (readonly [number, ConsoleSessionInput])[],
  context: Partial<ConsoleSessionContext> = {},
): string[] =>
  asText(
    transcript(
      {
        initial,
        wakeAt,
        step: (state, input: ConsoleSessionInput, nowMs) =>
          step(state, input, { settingsTag: 'old', reverted: undefined, ...context, nowMs }),
      },
      script,
    ),
    describeOutput,
  )

describe('the schedule of a session', () => {
  test('a heartbeat every 30 s, also while pending, for as long as the console answers', () => {
    const script: [number, ConsoleSessionInput][] = [
      [0, opened],
      [10, frame(pending)],
      [30_100, frame(ack)],
      [60_100, frame(ack)],
      [90_100, frame(ack)],
    ]
    expect(run(script)).toEqual([
      '0 hello-sent send-hello',
      '10 pending pin-console enter-pending',
      '30000 pending send-heartbeat',
      '30100 pending confirm-settings',
      '60000 pending send-heartbeat',
      '60100 pending confirm-settings',
      '90000 pending send-heartbeat',
      '90100 pending confirm-settings',
    ])
  })

  test('other decoys that listen are said by a heartbeat at once, but a second after the last one', () => {
    const changed: ConsoleSessionInput = { name: 'decoys-changed' }
    expect(
      run([
        [0, opened],
        [10, frame(registered)],
        [5_000, changed],
        [5_001, frame(ack)],
        [5_200, changed],
        [5_300, changed],
        [36_001, frame(ack)],
      ]).filter((line) => line.includes('send-heartbeat')),
    ).toEqual([
      '5000 registered send-heartbeat',
      '6000 registered send-heartbeat',
      '36000 registered send-heartbeat',
    ])
  })

  test('75 s without a frame end it, two unanswered heartbeats later', () => {
    expect(
      run([
        [0, opened],
        [1_000, frame(registered)],
        [80_000, woken],
      ]),
    ).toEqual([
      '0 hello-sent send-hello',
      '1000 registered pin-console register enter-registered',
      '30000 registered send-heartbeat',
      '60000 registered send-heartbeat',
      '76000 closed close(the console was silent for 75 s)',
      '80000 closed',
    ])
  })

  test('a console that never answers HELLO ends it after 75 s', () => {
    expect(
      run([
        [0, opened],
        [90_000, woken],
      ]).slice(-2),
    ).toEqual(['75000 closed close(the console was silent for 75 s)', '90000 closed'])
  })

  test('settings are confirmed by the answer to a heartbeat that was sent after them, not by an earlier one', () => {
    expect(
      run([
        [0, opened],
        [10, frame(registered)],
        [30_010, { name: 'settings-applied', tag: 'new', seq: 7 }],
        [30_020, frame(ack)],
        [30_030, frame(ack)],
        [60_020, woken],
      ]),
    ).toEqual([
      '0 hello-sent send-hello',
      '10 registered pin-console register enter-registered',
      '30000 registered send-heartbeat',
      '30010 registered send-applied send-heartbeat',
      '30020 registered',
      '30030 registered confirm-settings',
      '60010 registered send-heartbeat',
      '60020 registered',
    ])
  })

  test.each<[Body<'REFUSED'>, string]>([
    [{ reason: 'too-many', message: 'no' }, 'close(the console refused this Bird (too-many): no)'],
    [
      { reason: 'cancelled', message: 'no', retryAfterS: 60 },
      'close(the console refused this Bird (cancelled): no, 60000)',
    ],
    [{ reason: 'superseded', message: 'no' }, 'close(the console refused this Bird (superseded): no, 60000)'],
    [
      { reason: 'bad-enrolment', message: 'no', retryAfterS: 0 },
      'drop-enrolment close(it refused the enrolment code. no Make another there with `rookery enrol`. This Bird now connects without a code, and waits for a person to commission it., 0)',
    ],
    [{ reason: 'revoked', message: 'no' }, 'revoke'],
  ])('REFUSED %j', (body, outputs) => {
    const lines = run([
      [0, opened],
      [10, frame({ kind: 'REFUSED', body })],
      [500_000, woken],
    ])
    expect(lines.slice(1)).toEqual([`10 closed pin-console ${outputs}`, '500000 closed'])
  })

  test('GOODBYE names the time of the next connection', () => {
    const goodbye: Frame = { kind: 'GOODBYE', body: { reason: 'restart', retryAfterS: 5 } }
    expect(
      run([
        [0, opened],
        [10, frame(goodbye)],
      ])[1],
    ).toBe('10 closed pin-console close(the console said goodbye: restart, 5000)')
  })
})

describe('settings', () => {
  const start: [number, ConsoleSessionInput][] = [
    [0, opened],
    [1, frame(registered)],
  ]

  test('are fetched piece by piece, then applied, then announced', () => {
    expect(
      run([
        ...start,
        [2, frame({ kind: 'SETTINGS_OFFER', body: offer })],
        [3, chunk(0, text.slice(0, CHUNK_BYTES))],
        [4, chunk(0, text.slice(0, CHUNK_BYTES))],
        [5, chunk(CHUNK_BYTES, text.slice(CHUNK_BYTES))],
        [6, { name: 'settings-applied', tag: 'new', seq: 7 }],
      ]).slice(2),
    ).toEqual([
      '2 registered SETTINGS_FETCH',
      '3 registered SETTINGS_FETCH',
      '4 registered',
      '5 registered apply(new)',
      '6 registered send-applied send-heartbeat',
    ])
  })

  test('that are not what was offered fail, and a later offer is fetched', () => {
    const other = { ...offer, tag: 'other', sha256: '0'.repeat(64), size: 2 }
    expect(
      run([
        ...start,
        [2, frame({ kind: 'SETTINGS_OFFER', body: other })],
        [3, chunk(0, '{}', 'other')],
        [4, frame({ kind: 'SETTINGS_OFFER', body: other })],
        [5, chunk(0, '{ }', 'other')],
        [6, frame({ kind: 'SETTINGS_OFFER', body: offer })],
      ]).slice(2),
    ).toEqual([
      '2 registered SETTINGS_FETCH',
      '3 registered refuse-settings SETTINGS_FAILED',
      '4 registered SETTINGS_FETCH',
      '5 registered refuse-settings SETTINGS_FAILED',
      '6 registered SETTINGS_FETCH',
    ])
  })

  test('in force are announced again when they are offered again', () => {
    expect(run([...start, [2, frame({ kind: 'SETTINGS_OFFER', body: { ...offer, tag: 'old' } })]])[2]).toBe(
      '2 registered send-applied send-heartbeat',
    )
  })

  test('that were rolled back are reported at every registration, and not fetched again', () => {
    const reverted = { tag: 'new', seq: 7, to: 'old', reason: 'the console could not be reached' }
    expect(
      run([...start, [2, frame({ kind: 'SETTINGS_OFFER', body: offer })]], { reverted }).slice(1),
    ).toEqual([
      '1 registered pin-console register SETTINGS_REVERTED enter-registered',
      '2 registered SETTINGS_REVERTED',
    ])
    expect(run([...start, [2, { name: 'settings-reverted' }]], { reverted })[2]).toBe(
      '2 registered SETTINGS_REVERTED',
    )
  })
})

test('a console that sends frames of a registered session before REGISTERED is left', () => {
  expect(
    run([
      [0, opened],
      [1, frame(pending)],
      [2, frame({ kind: 'ACK', body: { spoolId: SPOOL, upto: 1 } })],
    ])[2],
  ).toBe('2 closed close(the console sent ACK before this Bird was registered)')
})

test('no order of frames and times makes it throw, send after it has closed, or skip a heartbeat', () => {
  const anyInput = fc.oneof(
    fc
      .constantFrom<Frame>(registered, pending, ack, { kind: 'SETTINGS_OFFER', body: offer })
      .map((of) => frame(of)),
    fc.constantFrom<ConsoleSessionInput>(
      woken,
      chunk(0, text.slice(0, CHUNK_BYTES)),
      chunk(CHUNK_BYTES, text.slice(CHUNK_BYTES)),
      { name: 'settings-applied', tag: 'new', seq: 7 },
      { name: 'settings-reverted' },
      { name: 'decoys-changed' },
    ),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(40_000), anyInput), { maxLength: 40 }), (gaps) => {
      let at = 0
      const script = gaps.map(([gap, input]) => [(at += gap), input] as const)
      const lines = run([[0, opened], ...script])
      const closedAt = lines.findIndex((line) => line.split(' ')[1] === 'closed')
      if (closedAt >= 0) for (const line of lines.slice(closedAt + 1)) expect(line).toMatch(/^\d+ closed$/)
      const live = lines.slice(0, closedAt < 0 ? undefined : closedAt)
      const beats = live
        .filter((line) => line.includes('send-heartbeat'))
        .map((line) => Number.parseInt(line))
      const gapsBetween = beats.map((beat, index) => beat - (beats[index - 1] ?? 0))
      expect(gapsBetween.filter((gap) => gap > 30_000)).toEqual([])
    }),
  )
})
