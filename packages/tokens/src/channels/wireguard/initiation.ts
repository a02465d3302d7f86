// The first message of a WireGuard handshake, as its responder opens it. Total: any bytes are an initiation or nothing.
import { timingSafeEqual } from 'node:crypto'
import { firstChain, hash, INITIATION, mac1Of, nextKeys, transcriptOf, unseal } from './noise.ts'
import { readTai64n } from './tai64n.ts'
import { privateKey, publicBytes, sharedSecret } from './x25519.ts'

export interface Initiation {
  /** The number that the client chose for its session. */
  readonly sessionIndex: number
  /** 32 bytes that are new with each initiation. */
  readonly ephemeralKey: Buffer
  /** The client's own key, by which it is known. */
  readonly clientKey: Buffer
  /** By the clock of the client, in milliseconds. */
  readonly sentAt: number
}

/** `own`: the responder's private key, 32 bytes. */
export function openResponder(own: Uint8Array) {
  const key = privateKey(own)
  const publicKey = publicBytes(key)
  const mac1 = mac1Of(publicKey)
  const transcript = transcriptOf(publicKey)

  return {
    /** What clients know it by; 32 bytes. */
    publicKey,
    /** Whether the sender of this datagram knows that key. It costs a hundredth of opening it. */
    hasValidMac: (datagram: Buffer) =>
      datagram.length === INITIATION.end &&
      datagram.readUInt32LE() === INITIATION.type &&
      timingSafeEqual(
        mac1(datagram.subarray(0, INITIATION.mac1)),
        datagram.subarray(INITIATION.mac1, INITIATION.mac2),
      ),
    /** Undefined unless it was sealed for this key, by the owner of the key in it. */
    open(datagram: Buffer): Initiation | undefined {
      if (datagram.length !== INITIATION.end) return undefined
      const ephemeralKey = Buffer.from(datagram.subarray(INITIATION.ephemeral, INITIATION.key))
      const sealedKey = datagram.subarray(INITIATION.key, INITIATION.time)
      const sealedTime = datagram.subarray(INITIATION.time, INITIATION.mac1)
      const outer = sharedSecret(key, ephemeralKey)
      if (!outer) return undefined
      const first = nextKeys(firstChain(ephemeralKey), outer)
      const withEphemeral = hash(transcript, ephemeralKey)
      const clientKey = unseal(first.key, sealedKey, withEphemeral)
      const inner = clientKey && sharedSecret(key, clientKey)
      if (!inner) return undefined
      const second = nextKeys(first.chain, inner)
      const time = unseal(second.key, sealedTime, hash(withEphemeral, sealedKey))
      if (!time) return undefined
      const sessionIndex = datagram.readUInt32LE(INITIATION.sender)
      return { sessionIndex, ephemeralKey, clientKey, sentAt: readTai64n(time) }
    },
  }
}

export type Responder = ReturnType<typeof openResponder>
