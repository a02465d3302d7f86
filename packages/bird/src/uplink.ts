// Keeps one secure session with the console, whatever happens to the connections below it.
import type { Random } from '@rookery/kernel/world.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'
import type { Frame, FrameKind } from '@rookery/link/messages.ts'
import type { Carrier, Line } from './carrier/ws.ts'
import type { BirdClock } from './world.ts'

/** The two ways of speaking on an open session. */
export interface Voice {
  send(frame: Frame): void
  sendJson(kind: FrameKind, json: string): void
  /** Ends this connection, after what is under way; the next one is tried after `retryMs`, or the usual back-off. */
  hangUp(reason: string, retryMs?: number): void
  readonly localAddress: string
  readonly remoteKey: Buffer
}

/** What is said on one session. */
export interface Talk {
  receive(frame: Frame): void
  ended(): void
}

export interface UplinkOptions {
  readonly carrier: Carrier
  readonly key: KeyPair
  readonly clock: BirdClock
  readonly random: Random
  /** Judges the console's key: `undefined` = welcome, else the reason against it. */
  readonly accept: (consoleKey: Buffer) => string | undefined
  readonly talk: (voice: Voice) => Talk
  /** Why there is no session. `isUntrusted`: the console's key was not accepted. */
  readonly onTrouble: (reason: string, isUntrusted: boolean) => void
  readonly maxBackoffMs?: number
}

export interface Uplink {
  /** Drops the connection and begins anew at once. */
  restart(reason: string): void
  /** Says goodbye and opens no more. */
  stop(reason: string): void
}

const HANDSHAKE_MS = 15_000
const FIRST_BACKOFF_MS = 250

export function uplink(options: UplinkOptions): Uplink {
  const { clock, random, maxBackoffMs = 30_000 } = options
  let isStopped = false
  let backoffMs = FIRST_BACKOFF_MS
  let cancelWait = () => {}
  let current: { hangUp: Voice['hangUp']; sayGoodbye: (reason: string) => void } | undefined

  function connect(): void {
    const noise = session({
      role: 'initiator',
      staticKey: options.key,
      clock,
      random,
      accept: options.accept,
    })
    let talk: Talk | undefined
    let localAddress = ''
    let trouble = ''
    let retryMs: number | undefined
    let isDone = false
    let isHungUp = false
    let isUntrusted = false

    const push = (messages: readonly Buffer[]): void => {
      if (!isDone) messages.forEach((message) => line.send(message))
    }
    const hangUp: Voice['hangUp'] = (reason, afterMs) => {
      isHungUp = true
      trouble ||= reason
      retryMs = afterMs ?? retryMs
      line.close()
      cancelCut = clock.after(2_000, () => line.cut())
    }
    const sayGoodbye = (reason: string): void => {
      if (talk && !isDone) push(noise.send({ kind: 'GOODBYE', body: { reason } }))
    }
    let cancelCut = clock.after(HANDSHAKE_MS, () => {
      trouble ||= 'the console did not answer the handshake'
      line.cut()
    })

    const line: Line = options.carrier({
      opened(address) {
        localAddress = address
        push([noise.begin()])
      },
      received(message) {
        if (isDone || isHungUp) return
        const { reply, opened, frame, problem } = noise.receive(message)
        if (reply) push([reply])
        if (problem) {
          isDone = true
          trouble = problem.message
          isUntrusted = problem.code === 'untrusted-key'
          if (isUntrusted) retryMs = maxBackoffMs
          line.cut()
          return
        }
        if (opened) {
          cancelCut()
          talk = options.talk({
            send: (out) => isDone || push(noise.send(out)),
            sendJson: (kind, json) => isDone || push(noise.sendJson(kind, json)),
            hangUp,
            localAddress,
            remoteKey: noise.remoteKey()!,
          })
        }
        if (frame) {
          backoffMs = FIRST_BACKOFF_MS
          try {
            talk?.receive(frame)
          } catch (error) {
            // A disk that refuses, say. The frame is not lost: the console says it again on the next session.
            hangUp(`${frame.kind} could not be dealt with: ${(error as Error).message}`, maxBackoffMs)
          }
        }
      },
      closed(reason) {
        isDone = true
        cancelCut()
        if (current === self) current = undefined
        talk?.ended()
        if (isStopped) return
        options.onTrouble(trouble || reason, isUntrusted)
        wait(retryMs)
      },
    })
    const self = { hangUp, sayGoodbye }
    current = self
  }

  function wait(givenMs?: number): void {
    // Half to all of it, at random: a thousand Birds do not come back in the same instant.
    const jitter = 0.5 + (random.bytes(1)[0]! / 255) * 0.5
    const ms = givenMs ?? backoffMs * jitter
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs)
    cancelWait = clock.after(ms, connect)
  }

  connect()
  return {
    restart(reason) {
      current?.sayGoodbye(reason)
      current?.hangUp(reason, 0)
    },
    stop(reason) {
      isStopped = true
      cancelWait()
      current?.sayGoodbye(reason)
      current?.hangUp(reason)
    },
  }
}
