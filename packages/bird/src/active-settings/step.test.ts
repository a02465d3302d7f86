// The schedules of the settings in force, as transcripts: time in ms, state, outputs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asText, transcript } from '../../test/transcript.ts'
import type { Bundle } from './bundle.ts'
import {
  currentOf,
  initial,
  step,
  toStored,
  wakeAt,
  type ActiveSettingsInput,
  type ActiveSettingsOutput,
  type ActiveSettingsState,
} from './step.ts'

const TRIAL_MS = 120_000
const bundle = (tag: string, rollback = true): Bundle => ({
  tag,
  seq: 1,
  text: '{}',
  sha256: '',
  settings: { 'rollback.enabled': rollback },
})
const [a, b, c] = [bundle('a'), bundle('b'), bundle('c')]
const apply = (of: Bundle): ActiveSettingsInput => ({ name: 'apply', bundle: of })
const start = (current?: Bundle, previous?: Bundle): ActiveSettingsInput => ({
  name: 'start',
  stored: { current, previous },
})
const opened: ActiveSettingsInput = { name: 'opened', failures: [] }
const without = (...instances: string[]): ActiveSettingsInput => ({
  name: 'opened',
  failures: instances.map((instance) => ({ instance, reason: 'in use' })),
})
const failed = without('ssh')
const confirm: ActiveSettingsInput = { name: 'confirm' }
const refresh: ActiveSettingsInput = { name: 'refresh' }
const woken: ActiveSettingsInput = { name: 'woken' }

function describeOutput(output: ActiveSettingsOutput): string {
  switch (output.name) {
    case 'open-ports':
      return `open(${output.bundle.tag})`
    case 'rolled-back':
      return `rolled-back(${output.rollback.failed.tag} to ${output.rollback.restored.tag})`
    case 'decoys-not-standing':
      return `event(${output.failures.map(({ instance }) => instance).join(' ')})`
    case 'report':
      return output.level
    default:
      return output.name
  }
}

const machine = {
  initial,
  wakeAt,
  step: (state: ActiveSettingsState, input: ActiveSettingsInput, nowMs: number) =>
    step(state, input, { nowMs, trialMs: TRIAL_MS }),
}
const run = (script: readonly (readonly [number, ActiveSettingsInput])[]): string[] =>
  asText(transcript(machine, script), describeOutput)

/** Settings a in force at 1 ms. */
const aInForce: readonly (readonly [number, ActiveSettingsInput])[] = [
  [0, start(a)],
  [1, opened],
]

describe('a new bundle', () => {
  test('the first one is in force at once: there is nothing to roll back to', () => {
    expect(
      run([
        [0, start()],
        [1, apply(a)],
        [2, opened],
        [900_000, woken],
      ]),
    ).toEqual(['0 none', '1 applying open(a)', '2 in-force save changed', '900000 in-force'])
  })

  test('is on trial until the console is reached', () => {
    expect(
      run([...aInForce, [10, apply(b)], [20, opened], [30_000, confirm], [900_000, woken]]).slice(2),
    ).toEqual([
      '10 applying open(b)',
      '20 on-trial save changed',
      '30000 in-force save changed',
      '900000 in-force',
    ])
  })

  test('without rollback.enabled is not tried', () => {
    expect(run([...aInForce, [10, apply(bundle('b', false))], [20, opened]]).slice(3)).toEqual([
      '20 in-force save changed',
    ])
  })

  test('is in force with the decoys that can be opened; the others are tried again every 10 s', () => {
    expect(
      run([
        [0, start()],
        [1, apply(a)],
        [2, failed],
        [10_003, failed],
        [20_004, opened],
        [900_000, woken],
      ]),
    ).toEqual([
      '0 none',
      '1 applying open(a)',
      '2 in-force save changed warning',
      '10002 reopening retry-ports',
      '10003 in-force changed',
      '20003 reopening retry-ports',
      '20004 in-force changed info decoys-changed',
      '900000 in-force',
    ])
  })

  test('may reach the console while decoys do not stand: its trial ends all the same', () => {
    expect(
      run([
        ...aInForce,
        [10, apply(b)],
        [20, failed],
        [30, confirm],
        [10_021, opened],
        [900_000, woken],
      ]).slice(3),
    ).toEqual([
      '20 on-trial save changed warning',
      '30 in-force save changed',
      '10020 reopening retry-ports',
      '10021 in-force changed info decoys-changed',
      '900000 in-force',
    ])
  })

  test('on trial for 120 s is rolled back', () => {
    expect(
      run([...aInForce, [10, apply(b)], [20, opened], [120_030, opened], [900_000, woken]]).slice(3),
    ).toEqual([
      '20 on-trial save changed',
      '120020 rolling-back open(a)',
      '120030 in-force save changed rolled-back(b to a)',
      '900000 in-force',
    ])
  })

  test('that replaces one on trial has a trial of its own, and is rolled back to the last good one', () => {
    expect(
      run([
        ...aInForce,
        [10, apply(b)],
        [20, opened],
        [100_000, apply(c)],
        [100_010, opened],
        [220_020, opened],
        [220_030, woken],
      ]).slice(4),
    ).toEqual([
      '100000 applying open(c)',
      '100010 on-trial save changed',
      '220010 rolling-back open(a)',
      '220020 in-force save changed rolled-back(c to a)',
      '220030 in-force',
    ])
  })
})

describe('decoys that cannot be opened', () => {
  /** The results of so many retries, each a millisecond after its start. */
  const retries = (from: number, count: number, input: ActiveSettingsInput) =>
    Array.from({ length: count }, (_, n) => [from + (n + 1) * 10_001, input] as const)

  test('for 60 s are one event, until all have listened', () => {
    const lines = run([
      [0, start(a)],
      [0, without('ssh', 'ftp')],
      ...retries(0, 6, without('ssh', 'ftp')),
      ...retries(60_006, 3, failed),
      ...retries(90_009, 1, opened),
      [120_000, apply(bundle('b', false))],
      [120_000, failed],
      ...retries(120_000, 8, failed),
    ])
    expect(lines.filter((line) => line.includes('event'))).toEqual([
      '60000 in-force event(ssh ftp)',
      '180000 in-force event(ssh)',
    ])
    expect(lines.filter((line) => line.includes('decoys-changed'))).toEqual([
      '0 in-force changed warning decoys-changed',
      '70007 in-force changed warning decoys-changed',
      '100010 in-force changed info decoys-changed',
    ])
  })

  test('under a new bundle begin their 60 s anew only when they stood before', () => {
    const eventAt = (second: ActiveSettingsInput): string | undefined =>
      run([
        [0, start(a)],
        [0, failed],
        [5_000, apply(bundle('b', false))],
        [5_000, second],
        ...retries(5_000, 7, second),
      ]).find((line) => line.includes('event'))
    expect(eventAt(failed)).toMatch(/^60000 in-force event\(ssh\)/)
    expect(eventAt(without('ftp'))).toMatch(/^65000 in-force event\(ftp\)/)
  })

  test('are reported after their 60 s each, whatever another one does meanwhile', () => {
    const hour = (ofRetry: (n: number) => ActiveSettingsInput) =>
      run([
        [0, start(a)],
        [0, failed],
        ...Array.from({ length: 360 }, (_, n) => [(n + 1) * 10_001, ofRetry(n)] as const),
      ]).filter((line) => line.includes('event'))
    expect(hour((n) => (n % 5 === 4 ? without('ssh', 'ftp') : failed))).toEqual(['60000 in-force event(ssh)'])
    expect(hour((n) => (n < 9 ? failed : without('ssh', 'ftp')))).toEqual([
      '60000 in-force event(ssh)',
      '160010 in-force event(ssh ftp)',
    ])
  })

  test('after a roll-back are tried again, and the roll-back is reported all the same', () => {
    expect(
      run([
        ...aInForce,
        [10, apply(b)],
        [20, opened],
        [120_030, failed],
        [130_040, opened],
        [130_050, woken],
      ]).slice(4),
    ).toEqual([
      '120020 rolling-back open(a)',
      '120030 in-force save changed warning rolled-back(b to a)',
      '130030 reopening retry-ports',
      '130040 in-force changed info decoys-changed',
      '130050 in-force',
    ])
  })

  test('on refresh-settings are tried at once', () => {
    expect(
      run([
        [0, start(a)],
        [0, failed],
        [10, refresh],
        [20, opened],
        [900_000, woken],
      ]).slice(2),
    ).toEqual(['10 reopening retry-ports', '20 in-force changed info decoys-changed', '900000 in-force'])
  })
})

describe('a restart', () => {
  test('begins the trial again: 120 s', () => {
    expect(
      run([
        [0, start(b, a)],
        [5, opened],
        [120_010, opened],
        [120_020, woken],
      ]),
    ).toEqual([
      '0 reopening open(b)',
      '5 on-trial changed',
      '120000 rolling-back open(a)',
      '120010 in-force save changed rolled-back(b to a)',
      '120020 in-force',
    ])
  })

  test('whose ports are in use rolls back as well, unless the console is reached', () => {
    const retries = Array.from({ length: 11 }, (_, n) => [10_006 + n * 10_001, failed] as const)
    const lines = run([[0, start(b, a)], [5, failed], ...retries, [120_001, opened]])
    expect(lines.slice(-2)).toEqual([
      '120000 rolling-back open(a)',
      '120001 in-force save changed info rolled-back(b to a)',
    ])
    expect(
      run([
        [0, start(b, a)],
        [5, failed],
        [7, confirm],
        [10_006, opened],
        [900_000, woken],
      ]).slice(2),
    ).toEqual([
      '7 in-force save changed',
      '10005 reopening retry-ports',
      '10006 in-force changed info decoys-changed',
      '900000 in-force',
    ])
  })
})

test('the console is reached while ports are being opened: the trial before ends', () => {
  expect(
    run([
      ...aInForce,
      [10, apply(b)],
      [20, opened],
      [30, apply(c)],
      [40, confirm],
      [50, opened],
      [900_000, woken],
    ]).slice(4),
  ).toEqual([
    '30 applying open(c)',
    '40 applying save changed',
    '50 on-trial save changed',
    '120050 rolling-back open(b)',
    '900000 rolling-back',
  ])
})

test('after every input the stored bundle is the one in force, and a trial has a bundle to roll back to', () => {
  const anyInput = fc.constantFrom<ActiveSettingsInput>(apply(a), apply(b), apply(c), confirm, refresh, woken)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60_000), anyInput, fc.boolean()), { maxLength: 40 }), (gaps) => {
      let state: ActiveSettingsState = initial
      let now = 0
      const send = (input: ActiveSettingsInput): void => {
        state = machine.step(state, input, now).state
      }
      for (const [gap, input, works] of gaps) {
        now += gap
        send(woken)
        // The driver sends a change only when no ports are being opened.
        if ('before' in state) send(works ? opened : failed)
        send(input)
        const stored = toStored(state)
        expect(stored.current).toBe(currentOf(state))
        if (state.name === 'on-trial') expect(stored.previous?.tag).toBe(state.trial.previous.tag)
        if (state.name === 'in-force') expect(stored.previous).toBeUndefined()
        if ('before' in state) send(works ? opened : failed)
        expect('before' in state).toBe(false)
      }
    }),
  )
})
