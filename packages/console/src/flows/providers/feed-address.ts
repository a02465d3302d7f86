// Where a provider sends events: an address on the token host that nobody can guess, so that no stranger sees what serves it.
import { createHash } from 'node:crypto'
import { isSameSecret } from '@rookery/tokens/provider-signature.ts'
import type { Vault } from '../../secrets/vault.ts'

const PATH = /^\/ingest\/([a-z0-9-]{1,32})\/([0-9a-f]{32})(?:\?|$)/

/** It stays with another master key: the provider has it. */
function idOf(vault: Pick<Vault, 'blockCipher'>, provider: string): string {
  const block = createHash('sha256').update(provider).digest().subarray(0, 16)
  return vault.blockCipher('provider feed').encrypt(block).toString('hex')
}

/** `base` is that of token URLs, without a trailing slash. */
export const feedUrl = (vault: Pick<Vault, 'blockCipher'>, base: string, provider: string): string =>
  `${base}/ingest/${provider}/${idOf(vault, provider)}`

/** The provider whose feed a path names; undefined for every other path. */
export function providerOfPath(vault: Pick<Vault, 'blockCipher'>, path: string): string | undefined {
  const [, provider = '', id = ''] = PATH.exec(path) ?? []
  return provider !== '' && isSameSecret(id, idOf(vault, provider)) ? provider : undefined
}
