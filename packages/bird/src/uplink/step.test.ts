// The schedules of the uplink, as transcripts: time in ms, state, outputs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Frame } from '@rookery/link/messages.ts'
import { asText, transcript } from '../../test/transcript.ts'
import { initial, step, wakeAt, type UplinkInput, type UplinkOutput } from './step.ts'

const MAX_BACKOFF_MS = 30_000
const frame: Frame = { kind: 'PENDING', body: { serverMs: 1 } }
const woken: UplinkInput = { name: 'woken' }
const connected: UplinkInput = { name: 'connected' }
const opened: UplinkInput = { name: 'received', received: { reply: Buffer.alloc(64), opened: true } }
const received: UplinkInput = { name: 'received', received: { frame } }
const closed = (reason = 'gone'): UplinkInput => ({ name: 'closed', reason })

function describeOutput(output: UplinkOutput): string {
  switch (output.name) {
    case 'report-disconnected':
      return `disconnected(${output.reason}${output.isUntrusted ? ', untrusted' : ''})`
    case 'send-goodbye':
      return `send-goodbye(${output.reason})`
    default:
      return output.name
  }
}

/** Without jitter, so that the back-off is exact. */
const run = (script: readonly (readonly [number, UplinkInput])[], jitter = (): number => 1): string[] =>
  asText(
    transcript(
      {
        initial,
        wakeAt,
        step: (state, input: UplinkInput, nowMs) =>
          step(state, input, { nowMs, maxBackoffMs: MAX_BACKOFF_MS, jitter }),
      },
      script,
    ),
    describeOutput,
  )

/** A session that is open at 20 ms. */
const open: readonly (readonly [number, UplinkInput])[] = [
  [0, woken],
  [10, connected],
  [20, opened],
]

describe('connecting', () => {
  test('carrier, handshake, session, frames', () => {
    expect(run([...open, [30, received]])).toEqual([
      '0 connecting connect',
      '10 handshaking begin-handshake',
      '20 open send open-session',
      '30 open deliver',
    ])
  })

  test('a handshake that takes 15 s is given up, and the next connection follows the back-off', () => {
    expect(
      run([
        [0, woken],
        [10, connected],
        [15_010, closed('terminated')],
        [16_000, woken],
      ]),
    ).toEqual([
      '0 connecting connect',
      '10 handshaking begin-handshake',
      '15000 closing terminate',
      '15010 backing-off end-session disconnected(the console did not answer the handshake)',
      '15260 connecting connect',
      '16000 connecting',
    ])
  })

  test('refused connections are tried after 250 ms, then twice as long each time, up to 30 s', () => {
    const waits: number[] = []
    let at = 0
    const script: [number, UplinkInput][] = [[0, woken]]
    for (let n = 0; n < 10; n++) {
      script.push([at, closed('ECONNREFUSED')])
      const wait = Math.min(250 * 2 ** n, MAX_BACKOFF_MS)
      at += wait + 1
      waits.push(wait)
    }
    const lines = run([...script, [at, woken]])
    const connects = lines.filter((line) => line.endsWith(' connect')).map((line) => Number.parseInt(line))
    // Each connection is refused 1 ms after it was tried.
    expect(connects.slice(1).map((time, n) => time - (connects[n] ?? 0) - (n > 0 ? 1 : 0))).toEqual(waits)
  })

  test('the jitter shortens the back-off to half of it at most', () => {
    const lines = run(
      [
        [0, woken],
        [100, closed()],
        [400, woken],
      ],
      () => 0.5,
    )
    expect(lines[2]).toBe('225 connecting connect')
  })

  test('a frame of the console resets the back-off', () => {
    const lines = run([
      [0, woken],
      [0, closed()],
      [300, closed()],
      [900, connected],
      [901, opened],
      [902, received],
      [1_000, closed()],
      [2_000, woken],
    ])
    expect(lines).toContain('250 connecting connect')
    expect(lines).toContain('800 connecting connect')
    expect(lines).toContain('1250 connecting connect')
  })
})

describe('ending a connection', () => {
  test('a problem of the session terminates it at once', () => {
    const problem = { code: 'altered', message: 'a message that was altered' } as const
    expect(
      run([...open, [30, { name: 'received', received: { problem } }], [31, closed()]]).slice(3),
    ).toEqual(['30 closing terminate', '31 backing-off end-session disconnected(a message that was altered)'])
  })

  test('a console whose key is not accepted is tried again after the longest back-off', () => {
    const problem = { code: 'untrusted-key', message: 'another key' } as const
    const lines = run([
      [0, woken],
      [10, connected],
      [20, { name: 'received', received: { problem } }],
      [21, closed()],
      [40_000, woken],
    ])
    expect(lines.slice(2, 5)).toEqual([
      '20 closing terminate',
      '21 backing-off end-session disconnected(another key, untrusted)',
      `${21 + MAX_BACKOFF_MS} connecting connect`,
    ])
  })

  test('close sends what is buffered; 2 s later the connection is terminated; retryMs replaces the back-off', () => {
    expect(
      run([
        ...open,
        [100, { name: 'close', reason: 'refused', retryMs: 7_000 }],
        [150, received],
        [2_200, closed()],
        [9_300, woken],
      ]).slice(3),
    ).toEqual([
      '100 closing close',
      '150 closing',
      '2100 closing terminate',
      '2200 backing-off end-session disconnected(refused)',
      '9200 connecting connect',
      '9300 connecting',
    ])
  })

  test('restart says goodbye and connects again at once', () => {
    expect(
      run([...open, [100, { name: 'restart', reason: 'rebooting' }], [110, closed()], [120, woken]]).slice(3),
    ).toEqual([
      '100 closing send-goodbye(rebooting) close',
      '110 backing-off end-session disconnected(rebooting)',
      '110 connecting connect',
      '120 connecting',
    ])
  })

  test('stop says goodbye, and no connection is tried', () => {
    expect(
      run([...open, [100, { name: 'stop', reason: 'bye' }], [110, closed()], [900_000, woken]]).slice(3),
    ).toEqual(['100 stopping send-goodbye(bye) close', '110 stopped end-session', '900000 stopped'])
    expect(
      run([
        [0, woken],
        [1, closed()],
        [2, { name: 'stop', reason: 'bye' }],
        [900_000, woken],
      ]).slice(2),
    ).toEqual(['2 stopped', '900000 stopped'])
  })
})

test('in any order of inputs, each connection ends before the next one begins, and none begins after stop', () => {
  const anyInput = fc.constantFrom<UplinkInput>(
    woken,
    connected,
    opened,
    received,
    closed(),
    { name: 'close', reason: 'no' },
    { name: 'close', reason: 'no', retryMs: 100 },
    { name: 'restart', reason: 'again' },
    { name: 'stop', reason: 'bye' },
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20_000), anyInput), { maxLength: 60 }), (gaps) => {
      let at = 0
      const names = run(gaps.map(([gap, input]) => [(at += gap), input] as const)).flatMap((line) =>
        line.split(' ').slice(2),
      )
      const starts = names.filter((name) => name === 'connect' || name === 'end-session')
      starts.forEach((name, index) => expect(name).toBe(index % 2 === 0 ? 'connect' : 'end-session'))
      const stopAt = gaps.findIndex(([, input]) => input.name === 'stop')
      if (stopAt < 0) return
      const before = run(
        gaps
          .slice(0, stopAt)
          .reduce<[number, UplinkInput][]>(
            (script, [gap, input]) => [...script, [(script.at(-1)?.[0] ?? 0) + gap, input]],
            [],
          ),
      )
      const connects = (lines: readonly string[]): number =>
        lines.filter((line) => line.endsWith(' connect')).length
      expect(names.filter((name) => name === 'connect').length).toBeLessThanOrEqual(connects(before) + 1)
    }),
  )
})
