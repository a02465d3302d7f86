import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Frame } from '@rookery/link/messages.ts'
import { birdRow } from '../../../../test/birds.ts'
import { batch, heartbeat, hello, sshEvent, SPOOL } from '../../../../test/link-bird.ts'
import {
  after,
  changed,
  closed,
  command,
  connected,
  CONNECTED,
  failed,
  frame,
  identified,
  line,
  NODE,
  NOW,
  online,
  ONLINE,
  pending,
  read,
  registered,
  report,
  transcript,
} from '../../../../test/session-transcript.ts'
import type { BirdRow } from '../../../stores/birds/store.ts'
import type { Input, SessionState } from './state.ts'
import { INITIAL_STATE, step } from './step.ts'

describe('a session', () => {
  it('keeps an unknown Bird pending until it is commissioned, then sends what its row says', () => {
    expect(
      transcript(...connected, read(pending), changed, read(pending), changed, read(registered())),
    ).toEqual([
      ...CONNECTED,
      'admit-pending',
      'send PENDING',
      'read with position',
      'read with position',
      'send COMMISSIONED',
      'send SETTINGS_OFFER one',
      'registered',
    ])
  })

  it('says REGISTERED to a Bird that knows its id, and how far its spool is stored', () => {
    const inputs = [frame(hello({ nodeId: NODE, settings: { tag: 'one', seq: 1 } })), identified]
    expect(after(inputs, read(registered(), [], 7))).toEqual([
      'store-heartbeat',
      'send REGISTERED',
      'registered',
    ])
    const state = inputs.reduce<SessionState>((s, input) => step(s, input, NOW).state, INITIAL_STATE)
    expect(step(state, read(registered(), [], 7), NOW).effects).toMatchObject([
      { kind: 'store-heartbeat', heartbeat: { node_id: NODE, applied_tag: 'one' } },
      {
        kind: 'send',
        frame: {
          kind: 'REGISTERED',
          body: { nodeId: NODE, settingsTag: 'one', serverMs: NOW, acked: { spoolId: SPOOL, upto: 7 } },
        },
      },
    ])
  })

  it('has liveness checked when a Bird is back from an outage, after its row was read', () => {
    const back: Input = { kind: 'identified', nodeId: NODE, wasOffline: true }
    expect(after([frame(hello())], back)).toEqual([
      'log Bird connected',
      'register',
      'read with position',
      'check-liveness',
      'identified',
    ])
  })

  it('sends each command once, also one that an earlier session sent', () => {
    const first = command('a')
    const [again, second] = [command('a', 'reboot', 'sent'), command('b')]
    const earlier = command('c', 'reboot', 'sent')
    expect(
      after(
        online,
        changed,
        read(registered(), [first, earlier]),
        changed,
        read(registered(), [again, second]),
      ),
    ).toEqual([
      'read',
      'send CMD a',
      'send CMD c',
      'mark-sent a',
      'read',
      'send CMD b',
      'mark-sent b',
      'registered',
    ])
  })

  it('reads the row once more, and only once, when it changed during a read', () => {
    expect(after(online, changed, changed, changed, changed, read(registered()))).toEqual([
      'read',
      'read',
      'registered',
    ])
    expect(after(online, changed, changed, read(registered()), read(registered()), changed)).toEqual([
      'read',
      'read',
      'read',
      'registered',
    ])
  })

  it('asks nothing more of a Bird that confirmed its decommission, and still stores what it saw', () => {
    const commanded = [...online, changed, read(registered(), [command('x', 'decommission')])]
    const confirmed = frame({ kind: 'CMD_RESULT', body: { id: 'x', ok: true, detail: 'wiping itself' } })
    const events = frame(batch([sshEvent(1)]))
    expect(
      after(commanded, confirmed, changed, events, { kind: 'stored', spoolId: SPOOL, upto: 1 }, closed),
    ).toEqual(['settle-command', 'store-events', 'send ACK', 'unregister', 'closed'])
    // Removed by the same transaction, also where the read that sees it began before.
    expect(after([...commanded, changed], confirmed, read(registered({ state: 'removed' })))).toEqual([
      'settle-command',
      'leaving',
    ])
  })

  it('removes a Bird that was sent its decommission and whose link closes without a result', () => {
    const commanded = [...online, changed, read(registered(), [command('x', 'decommission')])]
    expect(after(commanded, closed)).toEqual(['unregister', 'remove-decommissioned', 'closed'])
    expect(after(online, closed)).toEqual(['unregister', 'closed'])
    expect(after([frame(hello())], closed)).toEqual(['closed'])
  })

  it.each<[string, BirdRow | undefined, string]>([
    ['cancelled', birdRow({ state: 'cancelled' }), 'cancelled'],
    ['removed', birdRow({ state: 'removed' }), 'revoked'],
    ['gone', undefined, 'revoked'],
  ])('refuses a Bird whose row is %s', (_name, row, reason) => {
    expect(after([...online, changed], read(row))).toEqual([`send REFUSED ${reason}`, 'close', 'registered'])
    expect(after([...connected, changed], read(row))).toEqual([
      `send REFUSED ${reason}`,
      'close',
      'identified',
    ])
  })

  it.each<[string, Input[], Frame, string]>([
    ['anything before HELLO', [], heartbeat(), 'awaiting-hello'],
    ['events of a pending Bird', [...connected, read(pending)], batch([sshEvent(1)]), 'pending'],
    ['a second HELLO', online, hello(), 'registered'],
    ['a frame of its own', online, { kind: 'PENDING', body: { serverMs: 0 } }, 'registered'],
  ])('refuses %s', (_name, before, given, name) => {
    expect(after(before, frame(given))).toEqual(['send REFUSED bad-frame', 'close', name])
  })

  it('answers heartbeats of a pending and of a registered Bird, whatever else it waits for', () => {
    for (const before of [connected, [...connected, read(pending)], [...online, changed]])
      expect(after(before, frame(heartbeat())).slice(0, -1)).toEqual([
        'store-heartbeat',
        'send HEARTBEAT_ACK',
      ])
  })

  it('sends a Bird away to come back when the database is away, and closes after any other failure', () => {
    const away = new Fault('unavailable', 'The database is away.', { retryAfterS: 9 })
    expect(after(online, failed(away), closed)).toEqual([
      'log link refused',
      'send REFUSED unavailable',
      'close',
      'unregister',
      'closed',
    ])
    expect(after(online, failed(new Error('oops')))).toEqual(['log link failed', 'close', 'registered'])
    expect(after([...online, closed], failed(away))).toEqual([
      'log failed after the link had closed',
      'closed',
    ])
  })

  it('pings every tick, and closes a link that was silent for more than 90 seconds', () => {
    const silent = (ms: number): Input => ({ kind: 'tick', heardAt: NOW - ms })
    expect(after(online, silent(0), silent(90_000), silent(90_001))).toEqual([
      'ping',
      'ping',
      'close',
      'registered',
    ])
  })

  it('says why it closes: superseded, or goodbye', () => {
    expect(after(online, { kind: 'superseded' })).toEqual(['send REFUSED superseded', 'close', 'registered'])
    expect(after(online, { kind: 'stopping' })).toEqual(['send GOODBYE', 'close', 'registered'])
    expect(transcript({ kind: 'stopping' })).toEqual(['close', 'awaiting-hello'])
    const goodbye = frame({ kind: 'GOODBYE', body: { reason: 'rebooting' } })
    expect(after(online, goodbye)).toEqual(['close', 'registered'])
    expect(transcript(goodbye)).toEqual(['close', 'awaiting-hello'])
  })

  it('greets the transcript of a whole first connection', () => {
    expect(transcript(...online)).toEqual([...ONLINE, 'registered'])
  })
})

describe('any course of a session', () => {
  const states = ['pending', 'queued', 'registered', 'cancelled', 'removed'] as const
  const inputs = fc.oneof<fc.Arbitrary<Input>[]>(
    fc.constantFrom<Input>(
      frame(hello()),
      frame(heartbeat()),
      frame(batch([sshEvent(1)])),
      frame({ kind: 'SETTINGS_FETCH', body: { tag: 'one', offset: 0, length: 9 } }),
      frame({ kind: 'SETTINGS_FAILED', body: report('one') }),
      frame({ kind: 'CMD_RESULT', body: { id: 'x', ok: true, detail: '' } }),
      identified,
      changed,
      { kind: 'recorded' },
      { kind: 'stored', spoolId: SPOOL, upto: 1 },
      failed(new Error('oops')),
      { kind: 'superseded' },
      closed,
    ),
    fc
      .record({
        state: fc.constantFrom(...states),
        tag: fc.constantFrom('', 'one', 'two'),
        command: fc.boolean(),
      })
      .map(({ state, tag, command: has }) =>
        read(registered({ state, settings_tag: tag }), has ? [command('x', 'decommission')] : []),
      ),
  )

  it('never throws, sends no command twice, reads one at a time, and is silent once it has closed', () => {
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 40 }), (course) => {
        let state: SessionState = INITIAL_STATE
        let commands = 0
        for (const input of course) {
          const before = state
          const { state: next, effects } = step(before, input, NOW)
          state = next
          const kinds = effects.map(({ kind }) => kind)
          if (before.name === 'closed') expect(kinds.filter((kind) => kind !== 'log')).toEqual([])
          commands += effects.filter((effect) => line(effect) === 'send CMD x').length
          expect(kinds.filter((kind) => kind === 'read').length).toBeLessThanOrEqual(1)
          const wasReading = 'reading' in before && before.reading !== 'no' && input.kind !== 'read'
          if (wasReading) expect(kinds).not.toContain('read')
          if (kinds.includes('close')) expect(kinds.at(-1)).toBe('close')
        }
        expect(commands).toBeLessThanOrEqual(1)
      }),
    )
  })
})
