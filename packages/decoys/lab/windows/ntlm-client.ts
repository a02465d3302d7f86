// The client's side of NTLM and SPNEGO, for tests.
import { createHmac } from 'node:crypto'
import { join, u16, u32, utf16, zeros } from '../../src/windows/fields.ts'
import { der } from '@rookery/kernel/der.ts'
import { ntlmV2Key } from '../../src/windows/netntlm.ts'
import { NTLM_FLAG } from '../../src/windows/ntlm.ts'
import { NTLM } from '../../src/windows/spnego.ts'

const SIGNATURE = Buffer.from('NTLMSSP\0')
const VERSION = Buffer.from('0a00614a0000000f', 'hex')
const CLIENT_FLAGS =
  NTLM_FLAG.unicode |
  NTLM_FLAG.requestTarget |
  NTLM_FLAG.ntlm |
  NTLM_FLAG.extendedSessionSecurity |
  NTLM_FLAG.version

export const negotiateToken = (flags = CLIENT_FLAGS): Buffer =>
  join(SIGNATURE, u32(1), u32(flags), zeros(16), VERSION)

export interface Credentials {
  readonly user: string
  readonly domain?: string
  readonly workstation?: string
  /** Of the password; without it there is no response. */
  readonly ntHash?: Buffer
}

/** What a CHALLENGE message holds. */
export function readChallenge(message: Buffer) {
  const field = (at: number): Buffer => {
    const start = message.readUInt32LE(at + 4)
    return message.subarray(start, start + message.readUInt16LE(at))
  }
  return {
    target: field(12),
    flags: message.readUInt32LE(20),
    challenge: message.subarray(24, 32),
    info: field(40),
    build: message.readUInt16LE(50),
  }
}

export function authenticateToken(challengeMessage: Buffer, credentials: Credentials): Buffer {
  const { user, domain = 'WORKGROUP', workstation = 'CLIENT', ntHash } = credentials
  const { challenge, info } = readChallenge(challengeMessage)
  const blob = join(
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    zeros(8),
    Buffer.alloc(8, 0xaa),
    zeros(4),
    info,
    zeros(4),
  )
  const proof =
    ntHash &&
    createHmac('md5', ntlmV2Key(ntHash, user, domain))
      .update(join(challenge, blob))
      .digest()
  const parts = [
    zeros(proof ? 24 : 0),
    proof ? join(proof, blob) : zeros(0),
    utf16(domain),
    utf16(user),
    utf16(workstation),
    zeros(0),
  ]
  const headBytes = 72
  const fields = parts.map((part, i) => {
    const at = headBytes + parts.slice(0, i).reduce((sum, { length }) => sum + length, 0)
    return join(u16(part.length), u16(part.length), u32(at))
  })
  return join(SIGNATURE, u32(3), ...fields, u32(CLIENT_FLAGS), VERSION, ...parts)
}

const MECH_LIST = der(0x30, der(0x06, NTLM))
const SPNEGO_OID = der(0x06, Buffer.from('2b0601050502', 'hex'))

/** A token in the first message of SPNEGO. `mechanisms`: DER of the list, NTLM alone by default. */
export const initToken = (token: Buffer, mechanisms = MECH_LIST): Buffer =>
  der(0x60, SPNEGO_OID, der(0xa0, der(0x30, der(0xa0, mechanisms), der(0xa2, der(0x04, token)))))

export const responseToken = (token: Buffer): Buffer => der(0xa1, der(0x30, der(0xa2, der(0x04, token))))

/** The NTLM message inside a server's answer. */
export const innerToken = (blob: Buffer): Buffer => blob.subarray(Math.max(0, blob.indexOf(SIGNATURE)))
