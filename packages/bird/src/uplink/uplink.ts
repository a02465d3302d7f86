// Connects to the console and opens a secure session, again after each loss. step.ts decides; this file carries out.
import type { Random } from '@rookery/kernel/world.ts'
import type { Frame, FrameKind } from '@rookery/link/messages.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { session, type Session } from '@rookery/link/session.ts'
import { runMachine, type Machine } from '../state-machine.ts'
import type { BirdClock } from '../world.ts'
import { initial, step, wakeAt, type UplinkInput, type UplinkOutput, type UplinkState } from './step.ts'
import type { Carrier, Connection } from './ws-carrier.ts'

/** An open session, as its handler uses it. Frames are dropped once it closes. */
export interface OpenLink {
  send(frame: Frame): void
  sendJson(kind: FrameKind, json: string): void
  /** Ends this connection after what was sent; the next one is tried after `retryMs`, or after the back-off. */
  close(reason: string, retryMs?: number): void
  readonly localAddress: string
  readonly consoleKey: Buffer
}

/** Speaks on one open session. */
export interface SessionHandler {
  receive(frame: Frame): void
  /** The connection is closed. */
  ended(): void
}

export interface UplinkOptions<H extends SessionHandler> {
  readonly carrier: Carrier
  readonly key: KeyPair
  readonly clock: BirdClock
  readonly random: Random
  /** Judges the console's key: undefined accepts it, a text is the reason against it. */
  readonly accept: (consoleKey: Buffer) => string | undefined
  readonly openSession: (link: OpenLink) => H
  /** The session has ended, or none could be opened. `isUntrusted`: the console's key was not accepted. */
  readonly onDisconnected: (reason: string, isUntrusted: boolean) => void
  readonly maxBackoffMs?: number
}

/** A connection, its secure session, and the handler of that. */
interface Current<H> {
  readonly noise: Session
  readonly connection: Connection
  handler?: H
}

export function uplink<H extends SessionHandler>(options: UplinkOptions<H>) {
  const { clock, random, maxBackoffMs = 30_000 } = options
  const jitter = (): number => 0.5 + (random.bytes(1)[0]! / 255) * 0.5
  let current: Current<H> | undefined
  let localAddress = ''

  const machine: Machine<UplinkState, UplinkInput> = runMachine({
    initial,
    step: (state, input, nowMs) => step(state, input, { nowMs, maxBackoffMs, jitter }),
    wakeAt,
    perform,
    clock,
  })

  function connect(): void {
    const { key, accept } = options
    const noise = session({ role: 'initiator', staticKey: key, clock, random, accept })
    const connection = options.carrier({
      opened(address) {
        localAddress = address
        machine.send({ name: 'connected' })
      },
      received: (message) => machine.send({ name: 'received', received: noise.receive(message) }),
      closed: (reason) => machine.send({ name: 'closed', reason }),
    })
    current = { noise, connection }
  }

  function whenOpen(encrypt: (noise: Session) => readonly Buffer[]): void {
    if (current && machine.state().name === 'open') sendAll(current, encrypt(current.noise))
  }

  function openSession(opened: Current<H>): void {
    opened.handler = options.openSession({
      send: (frame) => whenOpen((noise) => noise.send(frame)),
      sendJson: (kind, json) => whenOpen((noise) => noise.sendJson(kind, json)),
      close: (reason, retryMs) => machine.send({ name: 'close', reason, retryMs }),
      localAddress,
      consoleKey: opened.noise.remoteKey()!,
    })
  }

  function deliver({ handler }: Current<H>, frame: Frame): void {
    try {
      handler?.receive(frame)
    } catch (error) {
      // Such as a disk that is full. The frame is not lost: the console sends it again on the next session.
      const reason = `${frame.kind} could not be handled: ${(error as Error).message}`
      machine.send({ name: 'close', reason, retryMs: maxBackoffMs })
    }
  }

  function endSession(ended: Current<H>): void {
    current = undefined
    ended.handler?.ended()
  }

  function perform(output: UplinkOutput): void {
    if (output.name === 'connect') connect()
    else if (output.name === 'report-disconnected') options.onDisconnected(output.reason, output.isUntrusted)
    else if (current) performOn(current, output)
  }

  function performOn(
    on: Current<H>,
    output: Exclude<UplinkOutput, { name: 'connect' | 'report-disconnected' }>,
  ): void {
    switch (output.name) {
      case 'begin-handshake':
        return sendAll(on, [on.noise.begin()])
      case 'send':
        return sendAll(on, [output.message])
      case 'open-session':
        return openSession(on)
      case 'deliver':
        return deliver(on, output.frame)
      case 'send-goodbye':
        return sendAll(on, on.noise.send({ kind: 'GOODBYE', body: { reason: output.reason } }))
      case 'close':
        return on.connection.close()
      case 'terminate':
        return on.connection.terminate()
      case 'end-session':
        return endSession(on)
    }
  }

  return {
    /** Connects; tries again until `stop`. */
    start: () => machine.send({ name: 'woken' }),
    /** The handler of the open session. */
    session: (): H | undefined => current?.handler,
    /** The Bird's own address on its last way to the console; empty before the first connection. */
    localAddress: () => localAddress,
    /** Says goodbye, and connects again at once. */
    restart: (reason: string) => machine.send({ name: 'restart', reason }),
    /** Says goodbye, and connects no more. */
    stop: (reason: string) => machine.send({ name: 'stop', reason }),
  }
}

export type Uplink<H extends SessionHandler> = ReturnType<typeof uplink<H>>

const sendAll = ({ connection }: Current<unknown>, messages: readonly Buffer[]): void =>
  messages.forEach((message) => connection.send(message))
