// An RSA key of 3,072 bits, ssh-keygen's default, with the signatures rsa-sha2-512, rsa-sha2-256 (RFC 8332) and ssh-rsa.
import { byWord } from '@rookery/kernel/by-word.ts'
import { sign } from 'node:crypto'
import { rsaKey } from '../../../../machine/rsa-key.ts'
import { mpint, string } from '../codec/fields.ts'
import type { HostKey } from './host-key.ts'

const HASHES = byWord<string>({
  'rsa-sha2-512': 'sha512',
  'rsa-sha2-256': 'sha256',
  'ssh-rsa': 'sha1',
})

export function rsa(p: bigint, q: bigint): HostKey {
  const { privateKey, modulus, exponent } = rsaKey(p, q)
  return {
    blob: Buffer.concat([string('ssh-rsa'), mpint(exponent), mpint(modulus)]),
    sign: (algorithm, text) =>
      Buffer.concat([string(algorithm), string(sign(HASHES[algorithm] ?? 'sha512', text, privateKey))]),
  }
}
