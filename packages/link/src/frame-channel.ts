// Frames over the two ciphers of a finished handshake, each direction under a key that is renewed in time.
import type { Clock } from '@rookery/kernel/world.ts'
import { decodeFrame } from './frames.ts'
import { MESSAGES, type Frame } from './messages.ts'
import type { Role, Transport } from './noise/handshake.ts'

/** A direction gets a new key after so many messages or after so long, whichever comes first. */
export const REKEY_FRAMES = 2 ** 20
export const REKEY_MS = 24 * 3_600_000
// The sender announces its new key with this: a frame of code 255, which messages.ts never assigns.
const REKEY = Buffer.from([255, 0, 0])

export type Decrypted =
  | { readonly frame: Frame }
  | { readonly rekeyed: true }
  | { readonly code: 'altered' | 'bad-frame'; readonly problem: string }

export function frameChannel(
  { send, receive }: Transport,
  role: Role,
  clock: Pick<Clock, 'now'>,
  rekeyFrames: number,
) {
  let sentSinceRekey = 0
  let receivedSinceRekey = 0
  let rekeyedAt = clock.now()

  function decrypt(message: Uint8Array): Decrypted {
    const plaintext = receive.decrypt(message)
    if (!plaintext)
      return {
        code: 'altered',
        problem: 'a message that was altered, repeated, left out or out of order',
      }
    if (plaintext.equals(REKEY)) {
      receive.rekey()
      receivedSinceRekey = 0
      return { rekeyed: true }
    }
    if (++receivedSinceRekey > rekeyFrames)
      return { code: 'bad-frame', problem: 'the other side did not renew its key in time' }
    const decoded = decodeFrame(plaintext)
    if ('problem' in decoded) return { code: 'bad-frame', problem: decoded.problem }
    const { kind } = decoded.frame
    if (!maySend(role === 'initiator' ? 'console' : 'bird', kind))
      return { code: 'bad-frame', problem: `a ${kind} frame from the wrong side` }
    return decoded
  }

  return {
    /** The messages that carry the encoded frame, to be sent in order. */
    encrypt(frame: Buffer): Buffer[] {
      const messages: Buffer[] = []
      if (sentSinceRekey >= rekeyFrames || clock.now() - rekeyedAt >= REKEY_MS) {
        messages.push(send.encrypt(REKEY))
        send.rekey()
        sentSinceRekey = 0
        rekeyedAt = clock.now()
      }
      sentSinceRekey++
      messages.push(send.encrypt(frame))
      return messages
    },
    /** Never throws. After a `problem` the channel must not be used again. */
    decrypt,
  }
}

export type FrameChannel = ReturnType<typeof frameChannel>

const maySend = (side: 'bird' | 'console', kind: Frame['kind']): boolean =>
  MESSAGES[kind].from === 'both' || MESSAGES[kind].from === side
