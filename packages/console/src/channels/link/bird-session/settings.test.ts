import { describe, expect, it } from 'vitest'
import { hello } from '../../../../test/link-bird.ts'
import {
  after,
  changed,
  frame,
  identified,
  NODE,
  online,
  read,
  registered,
  report,
  tick,
  timed,
} from '../../../../test/session-transcript.ts'
import type { Input } from './state.ts'

describe('settings in a session', () => {
  it('offers a bundle once, serves its chunks, and offers the next one only when the row has it', () => {
    const fetch = (tag: string): Input =>
      frame({ kind: 'SETTINGS_FETCH', body: { tag, offset: 0, length: 100 } })
    const applied = frame({
      kind: 'SETTINGS_APPLIED',
      body: { tag: 'one', seq: 1, serviceCount: 4, notStanding: [] },
    })
    const newer = registered({ settings_tag: 'two', settings_seq: 2 })
    expect(after(online, changed, read(registered()), fetch('one'), fetch('one'))).toEqual([
      'read',
      'send SETTINGS_CHUNK one',
      'record-copied',
      'send SETTINGS_CHUNK one',
      'registered',
    ])
    expect(after(online, fetch('one'), applied, { kind: 'recorded' }, read(newer))).toEqual([
      'send SETTINGS_CHUNK one',
      'record-copied',
      'record-settings',
      'read',
      'send SETTINGS_OFFER two',
      'registered',
    ])
    // A bundle that is offered no more is answered by the present one.
    expect(after(online, fetch('zero'), read(newer))).toEqual([
      'read',
      'send SETTINGS_OFFER two',
      'registered',
    ])
  })

  it('records how far a bundle was fetched, once for each 32 KiB and at its end', () => {
    const large = registered({ settings_tag: 'two', settings: 'x'.repeat(80_000) })
    const fetch = (offset: number, length: number): Input =>
      frame({ kind: 'SETTINGS_FETCH', body: { tag: 'two', offset, length } })
    const chunk = 'send SETTINGS_CHUNK two'
    const offered = [...online, changed, read(large)]
    expect(after(offered, fetch(0, 1), fetch(0, 32_768), fetch(0, 32_768), fetch(32_768, 32_768))).toEqual([
      chunk,
      ...[chunk, 'record-copied'],
      chunk,
      ...[chunk, 'record-copied'],
      'registered',
    ])
    const whole = [...offered, fetch(0, 32_768), fetch(32_768, 32_768)]
    expect(after(whole, fetch(65_536, 32_768), fetch(65_536, 32_768))).toEqual([
      ...[chunk, 'record-copied'],
      chunk,
      'registered',
    ])
  })

  it.each(['SETTINGS_FAILED', 'SETTINGS_REVERTED'] as const)('%s ends the offer of that bundle', (kind) => {
    const settled =
      kind === 'SETTINGS_FAILED'
        ? frame({ kind, body: report('one') })
        : frame({ kind, body: { ...report('one'), to: 'zero' } })
    // The row may still be the one before the report was recorded.
    expect(after(online, settled, { kind: 'recorded' }, read(registered()), changed)).toEqual([
      'log settings not in force',
      'record-settings',
      'read',
      'read',
      'registered',
    ])
  })

  it('offers a bundle that failed again about each minute, until it is applied', () => {
    const row = registered({ settings_failure: 'port 22 is in use' })
    const failure = frame({ kind: 'SETTINGS_FAILED', body: report('one') })
    const applied = frame({
      kind: 'SETTINGS_APPLIED',
      body: { tag: 'one', seq: 1, serviceCount: 4, notStanding: [] },
    })
    expect(
      timed(
        online,
        [0, failure],
        [0, read(row)],
        [30_000, tick],
        [60_000, tick],
        [60_000, read(row)],
        [61_000, failure],
        [90_000, tick],
        [120_000, tick],
        [120_000, read(row)],
        [121_000, applied],
        [150_000, tick],
        [180_000, tick],
      ),
    ).toEqual([
      '0 log settings not in force',
      '0 record-settings',
      '30 ping',
      '60 ping',
      '60 read',
      '60 send SETTINGS_OFFER one',
      '61 log settings not in force',
      '61 record-settings',
      '90 ping',
      '120 ping',
      '120 read',
      '120 send SETTINGS_OFFER one',
      '121 record-settings',
      '150 ping',
      '180 ping',
    ])
  })

  it('offers a bundle that failed at every HELLO, also to a Bird that reports its tag, but none that was rolled back', () => {
    const offered = (tag: string, settings_failure: string): string[] => {
      const inputs = [frame(hello({ nodeId: NODE, settings: { tag, seq: 1 } })), identified]
      return after(inputs, read(registered({ settings_failure })))
    }
    for (const tag of ['zero', 'one'])
      expect(offered(tag, 'port 22 is in use')).toEqual([
        'store-heartbeat',
        'send REGISTERED',
        'send SETTINGS_OFFER one',
        'registered',
      ])
    expect(offered('zero', 'rolled back: no answer')).toEqual([
      'store-heartbeat',
      'send REGISTERED',
      'registered',
    ])
  })
})
