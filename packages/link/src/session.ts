// The secure session over any carrier that delivers whole messages in order: Noise XX first, then one frame per message.
// Pure: the caller moves the bytes. Nothing that arrives makes it throw; what is wrong comes back as a `problem`, and ends it.
//
//   Bird (initiator)                       console (responder)
//     begin() ──────────── 32 bytes ──────────▶ receive()
//     receive() ◀───────── 96 bytes ─────────── reply
//     accept(console's key)?  no: problem, and not a byte more
//     reply ────────────── 64 bytes ──────────▶ receive()
//     opened                                    accept(Bird's key)?
//     send(HELLO) ─────────────────────────────▶ frame: only now is `opened`
import type { Clock, Random } from '@rookery/kernel/world.ts'
import { decodeFrame, encodeBody, encodeFrame } from './frames.ts'
import { MESSAGES, type Frame, type FrameKind } from './messages.ts'
import { handshake, type Role, type Transport } from './noise/handshake.ts'
import { KEY_BYTES, keyPair, type KeyPair } from './noise/keys.ts'

const PROLOGUE = Buffer.from('rookery link 1')
const HANDSHAKE_BYTES = [32, 96, 64]

/** A direction gets a new key after so many messages, or so long, whichever comes first. */
export const REKEY_FRAMES = 2 ** 20
export const REKEY_MS = 24 * 3_600_000
// The sender's word that it goes on with a new key: an empty frame of a code that messages.ts never gives away.
const REKEY = Buffer.from([255, 0, 0])

export interface SessionOptions {
  readonly role: Role
  readonly staticKey: KeyPair
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  /** Judges the other side's proved public key: `undefined` = welcome, else the reason against it, in words. */
  readonly accept?: (remoteKey: Buffer) => string | undefined
  /** Frames after which a direction gets a new key; the same on both sides. */
  readonly rekeyFrames?: number
}

export interface Problem {
  readonly code: 'untrusted-key' | 'handshake' | 'altered' | 'bad-frame' | 'closed'
  /** A sentence for a log. */
  readonly message: string
}

/** What came of a message. At most one of `frame` and `problem`. */
export interface Received {
  /** To be sent back now. */
  readonly reply?: Buffer
  /** The other side is proved and present: once per session. */
  readonly opened?: true
  readonly frame?: Frame
  /** The session is over: close the carrier. */
  readonly problem?: Problem
}

export interface Session {
  /** The initiator's first message. */
  begin(): Buffer
  receive(message: Uint8Array): Received
  /** The messages that carry the frame, to be sent in order. Throws an Error before the session is open, or after its end. */
  send(frame: Frame): Buffer[]
  /** The same for a body that is JSON text already. */
  sendJson(kind: FrameKind, json: string): Buffer[]
  /** The other side's static public key, once `opened`. */
  remoteKey(): Buffer | undefined
}

export function session(options: SessionOptions): Session {
  const { role, staticKey, clock, random, accept, rekeyFrames = REKEY_FRAMES } = options
  const noise = handshake({
    role,
    staticKey,
    ephemeralKey: keyPair(random.bytes(KEY_BYTES)),
    prologue: PROLOGUE,
  })
  let turn = 0
  let transport: Transport | undefined
  let opened = false
  let over = false
  let sentSinceRekey = 0
  let receivedSinceRekey = 0
  let rekeyedAt = 0

  function fail(code: Problem['code'], message: string): Received {
    over = true
    transport = undefined
    return { problem: { code, message } }
  }

  function open(): void {
    transport = noise.transport()
    rekeyedAt = clock.now()
  }

  function shake(message: Uint8Array): Received {
    if (message.length !== HANDSHAKE_BYTES[turn]) {
      return fail(
        'handshake',
        `expected a handshake message of ${HANDSHAKE_BYTES[turn]} bytes, not ${message.length}`,
      )
    }
    const read = noise.read(message)
    if ('problem' in read) return fail('handshake', read.problem)
    turn++
    const remoteKey = noise.remoteKey()
    const objection = remoteKey && accept?.(remoteKey)
    if (objection !== undefined) return fail('untrusted-key', objection)
    if (!noise.isMyTurn()) {
      open()
      return {}
    }
    let reply: Buffer
    try {
      reply = noise.write()
    } catch (error) {
      return fail('handshake', (error as Error).message)
    }
    turn++
    if (!noise.transport()) return { reply }
    open()
    opened = true
    return { reply, opened: true }
  }

  function listen({ receive }: Transport, message: Uint8Array): Received {
    const plain = receive.decrypt(message)
    if (!plain) return fail('altered', 'a message that was altered, repeated, left out or out of order')
    if (plain.equals(REKEY)) {
      receive.rekey()
      receivedSinceRekey = 0
      return {}
    }
    if (++receivedSinceRekey > rekeyFrames)
      return fail('bad-frame', 'the other side did not renew its key in time')
    const decoded = decodeFrame(plain)
    if ('problem' in decoded) return fail('bad-frame', decoded.problem)
    const { from } = MESSAGES[decoded.frame.kind]
    if (from !== 'both' && (from === 'bird') !== (role === 'responder')) {
      return fail('bad-frame', `a ${decoded.frame.kind} frame from the wrong side`)
    }
    if (opened) return { frame: decoded.frame }
    opened = true
    return { opened: true, frame: decoded.frame }
  }

  function say(plain: Buffer): Buffer[] {
    if (!transport || !opened) throw new Error(over ? 'The session is over.' : 'The session is not open yet.')
    const { send } = transport
    const messages: Buffer[] = []
    if (sentSinceRekey >= rekeyFrames || clock.now() - rekeyedAt >= REKEY_MS) {
      messages.push(send.encrypt(REKEY))
      send.rekey()
      sentSinceRekey = 0
      rekeyedAt = clock.now()
    }
    sentSinceRekey++
    messages.push(send.encrypt(plain))
    return messages
  }

  return {
    begin() {
      if (role !== 'initiator' || turn > 0) throw new Error('Only the initiator begins, and once.')
      turn++
      return noise.write()
    },
    receive(message) {
      if (over) return { problem: { code: 'closed', message: 'the session is over' } }
      return transport ? listen(transport, message) : shake(message)
    },
    send: (frame) => say(encodeFrame(frame)),
    sendJson: (kind, json) => say(encodeBody(kind, json)),
    remoteKey: () => (opened ? noise.remoteKey() : undefined),
  }
}
