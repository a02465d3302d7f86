// Chooses the algorithms that both offers contain (RFC 4253, 7.1), as OpenSSH's server does.
import { ciphers } from './cipher/ciphers.ts'
import { firstCommon, type DirectionAlgorithms, type KexInit, type Offer } from './codec/kexinit.ts'
import { kexMethods } from './kex/methods.ts'
import type { KexMethod } from './kex/method.ts'
import { STRICT } from './version.ts'

export interface Negotiated {
  readonly method: KexMethod
  readonly hostKey: string
  readonly toServer: CipherAndMac
  readonly toClient: CipherAndMac
  /** The strict key exchange: new keys restart the sequence numbers, and no other message may come before them. */
  readonly isStrict: boolean
  /** The client accepts SSH_MSG_EXT_INFO (RFC 8308, 2.1). */
  readonly acceptsExtInfo: boolean
  /** The client has sent the first message of a method that was not chosen (RFC 4253, 7). */
  readonly isGuessWrong: boolean
}

export interface CipherAndMac {
  readonly cipher: string
  /** Undefined for an AEAD cipher. */
  readonly mac: string | undefined
}

/** Undefined when one list has nothing in common; OpenSSH then closes without a message. */
export function negotiate(client: KexInit, server: Offer): Negotiated | undefined {
  const method = kexMethods[firstCommon(client.kex, server.kex) ?? '']
  const hostKey = firstCommon(client.hostKeys, server.hostKeys)
  const toServer = chooseCipher(client.toServer, server)
  const toClient = chooseCipher(client.toClient, server)
  if (!method || !hostKey || !toServer || !toClient) return undefined
  return {
    method,
    hostKey,
    toServer,
    toClient,
    isStrict: isStrict(client, server),
    acceptsExtInfo: client.kex.includes('ext-info-c'),
    isGuessWrong:
      client.isGuessSent && (client.kex[0] !== server.kex[0] || client.hostKeys[0] !== server.hostKeys[0]),
  }
}

export const isStrict = (client: KexInit, server: Offer): boolean =>
  client.kex.includes('kex-strict-c-v00@openssh.com') && server.kex.includes(STRICT)

function chooseCipher(client: DirectionAlgorithms, server: Offer): CipherAndMac | undefined {
  const cipher = firstCommon(client.ciphers, server.ciphers)
  if (!cipher || !firstCommon(client.compression, server.compression)) return undefined
  if (ciphers[cipher]?.isAead) return { cipher, mac: undefined }
  const mac = firstCommon(client.macs, server.macs)
  return mac === undefined ? undefined : { cipher, mac }
}
