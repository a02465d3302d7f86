// What a login gives away: the line that password crackers read, and the session key where we can know it.
import { createHmac } from 'node:crypto'
import { utf16, zeros } from './fields.ts'
import { isAnonymous, NTLM_FLAG, type Authenticate } from './ntlm.ts'
import { rc4 } from './rc4.ts'

const NTLM_V1_BYTES = 24
const PROOF_BYTES = 16

/**
 * `user::domain:challenge:proof:blob` of NTLMv2, `user::domain:LM:NT:challenge` of NTLMv1; empty when there is no response.
 * Colons and control characters in names become `?`, so that it stays one line of that form.
 */
export function crackerLine(login: Authenticate, challenge: Buffer): string {
  const { ntResponse, lmResponse } = login
  if (ntResponse.length < NTLM_V1_BYTES) return ''
  const [user, domain] = [login.user, login.domain].map((name) => name.replace(/[:\p{C}\p{Zl}\p{Zp}]/gu, '?'))
  const hex = (bytes: Buffer): string => bytes.toString('hex')
  const who = `${user}::${domain}`
  if (ntResponse.length === NTLM_V1_BYTES)
    return `${who}:${hex(lmResponse)}:${hex(ntResponse)}:${hex(challenge)}`
  const [proof, blob] = [ntResponse.subarray(0, PROOF_BYTES), ntResponse.subarray(PROOF_BYTES)]
  return `${who}:${hex(challenge)}:${hex(proof)}:${hex(blob)}`
}

/** MD4 of an empty password. */
export const EMPTY_NT_HASH = Buffer.from('31d6cfe0d16ae931b73c59d7e0c089c0', 'hex')

const hmacMd5 = (key: Buffer, ...parts: readonly Buffer[]): Buffer =>
  createHmac('md5', key).update(Buffer.concat(parts)).digest()

/** NTOWFv2 ([MS-NLMP] 3.3.2). */
export const ntlmV2Key = (ntHash: Buffer, user: string, domain: string): Buffer =>
  hmacMd5(ntHash, utf16(user.toUpperCase() + domain))

/** The session base key of an NTLMv2 response; undefined when the password is another one. */
export function sessionBaseKey(ntHash: Buffer, login: Authenticate, challenge: Buffer): Buffer | undefined {
  const { ntResponse, user, domain } = login
  const key = ntlmV2Key(ntHash, user, domain)
  const proof = ntResponse.subarray(0, PROOF_BYTES)
  const expected = hmacMd5(key, challenge, ntResponse.subarray(PROOF_BYTES))
  return expected.equals(proof) ? hmacMd5(key, proof) : undefined
}

/**
 * The session key of an anonymous login and of one with an empty password; undefined when only the client knows it.
 */
export function exportedSessionKey(login: Authenticate, challenge: Buffer): Buffer | undefined {
  const base = isAnonymous(login) ? zeros(16) : sessionBaseKey(EMPTY_NT_HASH, login, challenge)
  if (!base || (login.flags & NTLM_FLAG.keyExchange) === 0) return base
  return login.encryptedKey.length === 16 ? rc4(base, login.encryptedKey) : undefined
}
