// Which algorithms the two offers have in common (RFC 4253, 7.1), chosen as OpenSSH's server does.
import { ciphers } from './cipher/suite.ts'
import { common, type KexInit, type Offer, type Way } from './codec/kexinit.ts'
import { kexMethods } from './kex/methods.ts'
import type { KexMethod } from './kex/method.ts'
import { STRICT } from './versions/version.ts'

export interface Agreed {
  readonly method: KexMethod
  readonly hostKey: string
  readonly toServer: Suite
  readonly toClient: Suite
  /** Sequence numbers start anew with new keys, and nothing else may come during the first exchange. */
  readonly isStrict: boolean
  /** The client can read SSH_MSG_EXT_INFO (RFC 8308, 2.1). */
  readonly wantsExtInfo: boolean
  /** The client has already sent its first message for a method that was not chosen. */
  readonly isGuessWrong: boolean
}

export interface Suite {
  readonly cipher: string
  /** None beside an AEAD cipher. */
  readonly mac: string | undefined
}

/** Undefined when something is not in common; OpenSSH then closes without a word. */
export function negotiate(client: KexInit, server: Offer): Agreed | undefined {
  const method = kexMethods[common(client.kex, server.kex) ?? '']
  const hostKey = common(client.hostKeys, server.hostKeys)
  const toServer = suite(client.toServer, server)
  const toClient = suite(client.toClient, server)
  if (!method || !hostKey || !toServer || !toClient) return undefined
  return {
    method,
    hostKey,
    toServer,
    toClient,
    isStrict: isStrict(client, server),
    wantsExtInfo: client.kex.includes('ext-info-c'),
    isGuessWrong:
      client.isGuessSent && (client.kex[0] !== server.kex[0] || client.hostKeys[0] !== server.hostKeys[0]),
  }
}

export const isStrict = (client: KexInit, server: Offer): boolean =>
  client.kex.includes('kex-strict-c-v00@openssh.com') && server.kex.includes(STRICT)

function suite(client: Way, server: Offer): Suite | undefined {
  const cipher = common(client.ciphers, server.ciphers)
  if (!cipher || !common(client.compression, server.compression)) return undefined
  if (ciphers[cipher]?.isAead) return { cipher, mac: undefined }
  const mac = common(client.macs, server.macs)
  return mac === undefined ? undefined : { cipher, mac }
}
