// The handshake Noise_XX_25519_ChaChaPoly_SHA256 (Noise Protocol Framework, rev 34).
//
//   → e                    32 bytes
//   ← e, ee, s, es         96 bytes: e 32, s 32 + tag 16, empty payload + tag 16
//   → s, se                64 bytes: s 32 + tag 16, empty payload + tag 16
//
// Each message may carry a payload behind its keys; the sizes above are without one.
import { agree, KEY_BYTES, type KeyPair } from './keys.ts'
import { cipher, TAG_BYTES, type Cipher } from './cipher.ts'
import { symmetricState } from './symmetric-state.ts'

const PROTOCOL_NAME = 'Noise_XX_25519_ChaChaPoly_SHA256'

export type Role = 'initiator' | 'responder'

export interface HandshakeOptions {
  readonly role: Role
  readonly staticKey: KeyPair
  /** A fresh pair: for this handshake alone. */
  readonly ephemeralKey: KeyPair
  /** Both sides must have the same. */
  readonly prologue: Uint8Array
}

/** The ciphers of the two directions. `hash` is the same on both sides and on no other session. */
export interface Transport {
  readonly send: Cipher
  readonly receive: Cipher
  readonly hash: Buffer
}

export type Read = { readonly payload: Buffer } | { readonly problem: string }

/** Messages alternate, the initiator's first. After a `problem` the handshake can only fail. */
export interface Handshake {
  /** Whether the next message is ours. */
  isMyTurn(): boolean
  /** Our next message. Throws an Error out of turn, or when the other side's key is of low order. */
  write(payload?: Uint8Array): Buffer
  /** Reads the other side's next message; never throws. */
  read(message: Uint8Array): Read
  /** The other side's static public key, once a message has authenticated it. */
  remoteKey(): Buffer | undefined
  /** Present once all three messages have passed. */
  transport(): Transport | undefined
}

type Token = 'e' | 's' | 'ee' | 'es' | 'se'
const XX: readonly (readonly Token[])[] = [['e'], ['e', 'ee', 's', 'es'], ['s', 'se']]

export function handshake({ role, staticKey, ephemeralKey, prologue }: HandshakeOptions): Handshake {
  const state = symmetricState(PROTOCOL_NAME)
  state.mixHash(prologue)
  const own = { e: ephemeralKey, s: staticKey }
  const remote: { e?: Buffer | undefined; s?: Buffer | undefined } = {}
  let turn = 0
  let hasFailed = false
  let transport: Transport | undefined

  const isMyTurn = () => !hasFailed && turn < XX.length && (turn % 2 === 0) === (role === 'initiator')

  /** ee, es, se: the first letter names the initiator's key, the second the responder's. False for a key of low order. */
  function mixAgreement(token: 'ee' | 'es' | 'se'): boolean {
    const [first, second] = [token[0] as 'e' | 's', token[1] as 'e' | 's']
    const [ours, theirs] = role === 'initiator' ? [first, second] : [second, first]
    const remoteKey = remote[theirs]
    const shared = remoteKey && agree(own[ours], remoteKey)
    if (!shared) return false
    state.mixKey(shared)
    return true
  }

  function finishTurn(): void {
    if (++turn < XX.length) return
    const [first, second] = state.split()
    const [send, receive] = role === 'initiator' ? [first, second] : [second, first]
    transport = { send: cipher(send), receive: cipher(receive), hash: state.hash() }
  }

  function write(payload: Uint8Array = Buffer.alloc(0)): Buffer {
    if (!isMyTurn()) throw new Error('It is not our turn in the handshake.')
    const parts: Buffer[] = []
    for (const token of XX[turn]!) {
      if (token === 'e') {
        state.mixHash(ephemeralKey.publicKey)
        parts.push(ephemeralKey.publicKey)
      } else if (token === 's') {
        parts.push(state.encryptAndHash(staticKey.publicKey))
      } else if (!mixAgreement(token)) {
        hasFailed = true
        throw new Error('The other side gave a public key of low order.')
      }
    }
    parts.push(state.encryptAndHash(payload))
    finishTurn()
    return Buffer.concat(parts)
  }

  function fail(problem: string): Read {
    hasFailed = true
    remote.s = undefined
    return { problem }
  }

  function read(message: Uint8Array): Read {
    if (hasFailed) return { problem: 'the handshake has failed before' }
    if (isMyTurn() || turn >= XX.length) return fail('a handshake message out of turn')
    let rest = Buffer.from(message)
    const take = (length: number): Buffer | undefined => {
      if (rest.length < length) return undefined
      const taken = rest.subarray(0, length)
      rest = rest.subarray(length)
      return taken
    }
    for (const token of XX[turn]!) {
      if (token === 'e') {
        remote.e = take(KEY_BYTES)
        if (!remote.e) return fail('a handshake message that is too short')
        state.mixHash(remote.e)
      } else if (token === 's') {
        const encrypted = take(KEY_BYTES + TAG_BYTES)
        if (!encrypted) return fail('a handshake message that is too short')
        remote.s = state.decryptAndHash(encrypted)
        if (!remote.s) return fail('a handshake message that was altered')
      } else if (!mixAgreement(token)) {
        return fail('a public key of low order')
      }
    }
    const payload = state.decryptAndHash(rest)
    if (!payload) return fail('a handshake message that was altered')
    finishTurn()
    return { payload }
  }

  return { isMyTurn, write, read, remoteKey: () => remote.s, transport: () => transport }
}
