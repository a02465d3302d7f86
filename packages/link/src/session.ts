// The secure session over any carrier that delivers whole messages in order: Noise XX first, then one frame per message.
// Pure: the caller moves the bytes. `receive` never throws; a `problem` ends the session.
//
//   Bird (initiator)                       console (responder)
//     begin() ──────────── 32 bytes ──────────▶ receive()
//     receive() ◀───────── 96 bytes ─────────── reply
//     accept(console's key)?  no: problem, and not a byte more
//     reply ────────────── 64 bytes ──────────▶ receive()
//     opened                                    accept(Bird's key)?
//     send(HELLO) ─────────────────────────────▶ frame: only now is `opened`
import type { Clock, Random } from '@rookery/kernel/world.ts'
import { frameChannel, REKEY_FRAMES, type FrameChannel } from './frame-channel.ts'
import { encodeBody, encodeFrame } from './frames.ts'
import type { Frame, FrameKind } from './messages.ts'
import { handshake, type Role } from './noise/handshake.ts'
import { KEY_BYTES, keyPair, type KeyPair } from './noise/keys.ts'

const PROLOGUE = Buffer.from('rookery link 1')
const HANDSHAKE_BYTES = [32, 96, 64]

export interface SessionOptions {
  readonly role: Role
  readonly staticKey: KeyPair
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  /** Judges the other side's authenticated public key: undefined accepts it, a text is the reason against it. */
  readonly accept?: (remoteKey: Buffer) => string | undefined
  /** Frames after which a direction gets a new key; the same on both sides. */
  readonly rekeyFrames?: number
}

export interface Problem {
  readonly code: 'untrusted-key' | 'handshake' | 'altered' | 'bad-frame' | 'closed'
  /** A phrase for a log. */
  readonly message: string
}

/** The result of one message. At most one of `frame` and `problem` is present. */
export interface Received {
  /** To be sent back now. */
  readonly reply?: Buffer
  /** The other side has proved its key in this session. True once a session. */
  readonly opened?: true
  readonly frame?: Frame
  /** The session is over: close the carrier. */
  readonly problem?: Problem
}

type State =
  /** `messages` handshake messages have passed. */
  | { readonly name: 'handshaking'; readonly messages: number }
  /** The responder waits for the first frame: it proves that the handshake was not replayed. */
  | { readonly name: 'unconfirmed'; readonly channel: FrameChannel }
  | { readonly name: 'open'; readonly channel: FrameChannel }
  | { readonly name: 'over' }

export function session(options: SessionOptions) {
  const { role, staticKey, clock, random, accept, rekeyFrames = REKEY_FRAMES } = options
  const ephemeralKey = keyPair(random.bytes(KEY_BYTES))
  const noise = handshake({ role, staticKey, ephemeralKey, prologue: PROLOGUE })
  let state: State = { name: 'handshaking', messages: 0 }
  let isProved = false

  function fail(code: Problem['code'], message: string): Received {
    state = { name: 'over' }
    return { problem: { code, message } }
  }

  /** Answers whether the handshake is complete. */
  function advance(name: 'open' | 'unconfirmed', messages: number): boolean {
    const transport = noise.transport()
    state = transport
      ? { name, channel: frameChannel(transport, role, clock, rekeyFrames) }
      : { name: 'handshaking', messages }
    isProved ||= state.name === 'open'
    return transport !== undefined
  }

  function receiveHandshake(message: Uint8Array, messages: number): Received {
    const expected = HANDSHAKE_BYTES[messages]
    if (message.length !== expected)
      return fail('handshake', `expected a handshake message of ${expected} bytes, not ${message.length}`)
    const read = noise.read(message)
    if ('problem' in read) return fail('handshake', read.problem)
    const remoteKey = noise.remoteKey()
    const objection = remoteKey && accept?.(remoteKey)
    if (objection !== undefined) return fail('untrusted-key', objection)
    if (advance('unconfirmed', messages + 1)) return {}
    try {
      const reply = noise.write()
      return advance('open', messages + 2) ? { reply, opened: true } : { reply }
    } catch (error) {
      return fail('handshake', (error as Error).message)
    }
  }

  function receiveFrame(channel: FrameChannel, message: Uint8Array): Received {
    const decrypted = channel.decrypt(message)
    if ('problem' in decrypted) return fail(decrypted.code, decrypted.problem)
    if ('rekeyed' in decrypted) return {}
    if (isProved) return decrypted
    isProved = true
    state = { name: 'open', channel }
    return { opened: true, ...decrypted }
  }

  function encrypt(encode: () => Buffer): Buffer[] {
    if (state.name === 'open') return state.channel.encrypt(encode())
    throw new Error(state.name === 'over' ? 'The session is over.' : 'The session is not open yet.')
  }

  return {
    /** The initiator's first message. */
    begin(): Buffer {
      if (role !== 'initiator' || state.name !== 'handshaking' || state.messages > 0)
        throw new Error('Only the initiator begins, and once.')
      state = { name: 'handshaking', messages: 1 }
      return noise.write()
    },
    receive(message: Uint8Array): Received {
      switch (state.name) {
        case 'handshaking':
          return receiveHandshake(message, state.messages)
        case 'unconfirmed':
        case 'open':
          return receiveFrame(state.channel, message)
        case 'over':
          return { problem: { code: 'closed', message: 'the session is over' } }
      }
    },
    /** The messages that carry the frame, to be sent in order. Throws an Error unless the session is open. */
    send: (frame: Frame): Buffer[] => encrypt(() => encodeFrame(frame)),
    /** The same for a body that is JSON text already. */
    sendJson: (kind: FrameKind, json: string): Buffer[] => encrypt(() => encodeBody(kind, json)),
    /** The other side's static public key, once `opened`. */
    remoteKey: (): Buffer | undefined => (isProved ? noise.remoteKey() : undefined),
  }
}

export type Session = ReturnType<typeof session>
