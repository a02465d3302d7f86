import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Frame } from '@rookery/link/messages.ts'
import { birdRow } from '../../../../test/birds.ts'
import { batch, heartbeat, hello, sshEvent, SPOOL } from '../../../../test/link-bird.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import type { Connection } from '../connection.ts'
import { birdSession, type BirdSession } from './driver.ts'
import type { Effect, Input } from './state.ts'

const NODE = '0123456789abcdef'
const KEY = Buffer.alloc(32, 7)

interface Driven {
  readonly session: BirdSession
  /** Kinds of the frames that the Bird was sent. */
  readonly sent: string[]
  /** Sequence numbers that were stored. */
  readonly stored: number[]
  /** How often reading was paused and resumed. */
  readonly flow: string[]
  receive(...frames: Frame[]): void
}

/** A session on a connection and effects of the test's own; `storing` decides how a batch comes out. */
function drive(storing: (seq: number) => Promise<void>): Driven {
  const [sent, stored, flow]: [string[], number[], string[]] = [[], [], []]
  let isOpen = true
  const connection: Connection = {
    address: '192.0.2.9',
    heardAt: () => 0,
    send: ({ kind }) => void (isOpen && sent.push(kind)),
    close() {
      if (!isOpen) return
      isOpen = false
      session.closed()
    },
    ping: () => undefined,
    pause: () => flow.push('pause'),
    resume: () => flow.push('resume'),
  }
  const run = (effect: Effect): Promise<Input | undefined> | undefined => {
    switch (effect.kind) {
      case 'send':
        return void connection.send(effect.frame)
      case 'close':
        return void connection.close(effect.why)
      case 'identify':
        return Promise.resolve({ kind: 'identified', nodeId: NODE, wasOffline: false })
      case 'read':
        return Promise.resolve({
          kind: 'read',
          row: birdRow({ node_id: NODE }),
          upto: 0,
          commands: [],
          transfers: [],
        })
      case 'store-events': {
        const seq = effect.batch.events[0]?.seq ?? 0
        return storing(seq).then(() => {
          stored.push(seq)
          return { kind: 'stored', spoolId: SPOOL, upto: seq }
        })
      }
      default:
        return undefined
    }
  }
  const session = birdSession(connection, run, manualClock(), pino({ level: 'silent' }))
  const receive = (...frames: Frame[]): void => frames.forEach((frame) => session.receive(frame, KEY))
  return { session, sent, stored, flow, receive }
}

describe('the driver of a session', () => {
  it('acknowledges nothing that is not stored, and lets no batch overtake one that failed', async () => {
    let isFull = true
    const { sent, stored, receive } = drive(() => {
      // The disk has room again just after the first batch was refused.
      const wasFull = isFull
      isFull = false
      return wasFull ? Promise.reject(new Fault('unavailable', 'The disk is full.')) : Promise.resolve()
    })
    receive(hello(), batch([sshEvent(1)]), batch([sshEvent(2)]))
    await expect.poll(() => sent).toEqual(['COMMISSIONED', 'REFUSED'])
    expect(stored).toEqual([])
  })

  it('answers a frame only when HELLO is settled, and events in their order', async () => {
    const { sent, stored, receive } = drive(() => Promise.resolve())
    receive(hello(), batch([sshEvent(1)]), batch([sshEvent(2)]), batch([sshEvent(3)]))
    await expect.poll(() => sent).toEqual(['COMMISSIONED', 'ACK', 'ACK', 'ACK'])
    expect(stored).toEqual([1, 2, 3])
  })

  it('answers heartbeats and reads the row while events are being stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { session, sent, receive } = drive(() => promise)
    receive(hello())
    await expect.poll(() => sent).toEqual(['COMMISSIONED'])
    receive(batch([sshEvent(1)]), heartbeat())
    session.notify('changed')
    expect(sent).toEqual(['COMMISSIONED', 'HEARTBEAT_ACK'])
    resolve()
    await expect.poll(() => sent).toEqual(['COMMISSIONED', 'HEARTBEAT_ACK', 'ACK'])
  })

  it('stops reading from a Bird that sends faster than its events are stored', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { sent, flow, receive } = drive(() => promise)
    receive(hello(), ...Array.from({ length: 80 }, (_, n) => batch([sshEvent(n + 1)])))
    expect(flow).toEqual(['pause'])
    resolve()
    await expect.poll(() => sent.length).toBe(81)
    expect(flow).toEqual(['pause', 'resume'])
  })

  it('closes the link when an effect throws at once', async () => {
    const { session, sent, receive } = drive(() => {
      throw new Error('oops')
    })
    receive(hello(), batch([sshEvent(1)]), batch([sshEvent(2)]))
    await expect.poll(() => sent).toEqual(['COMMISSIONED'])
    session.notify('stopping')
    expect(sent).toEqual(['COMMISSIONED'])
  })
})
