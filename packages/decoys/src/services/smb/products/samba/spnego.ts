// SPNEGO as Samba's server takes it.
import { der } from '@rookery/kernel/der.ts'
import { NTLM, readClientToken, serverResponse } from '../../../../windows/spnego.ts'
import type { Exchange } from './state.ts'

export type Token =
  | { readonly kind: 'invalid' | 'empty' }
  /** The front of a token; the rest comes in the next message. */
  | { readonly kind: 'part'; readonly bytes: Buffer }
  /** NTLM is chosen, and its first message still to come. `isOffered`: it was the client's first choice. */
  | { readonly kind: 'without-ntlm'; readonly isOffered: boolean }
  | { readonly kind: 'ntlm'; readonly message: Buffer; readonly isRaw: boolean }

const INVALID: Token = { kind: 'invalid' }
const APPLICATION = 0x60
const RESPONSE = 0xa1

export function readToken(bytes: Buffer, { isRaw, part }: Pick<Exchange, 'isRaw' | 'part'>): Token {
  if (bytes.length === 0) return isRaw === undefined ? { kind: 'empty' } : INVALID
  const length = lengthOf(bytes)
  if (isRaw !== true && length !== undefined && bytes.length < length) return { kind: 'part', bytes }
  // What comes in parts ends where it says.
  if (part.length > 0 && bytes.length !== length) return INVALID
  const token = readClientToken(bytes)
  if (!token) return INVALID
  switch (token.kind) {
    case 'raw':
      return isRaw === false ? INVALID : { kind: 'ntlm', message: token.token, isRaw: true }
    case 'response':
      return isRaw === false && token.token && token.token.length > 0
        ? { kind: 'ntlm', message: token.token, isRaw: false }
        : INVALID
    case 'init':
      if (isRaw !== undefined || !token.offersNtlm) return INVALID
      if (!token.isNtlmFirst) return { kind: 'without-ntlm', isOffered: false }
      return token.token && token.token.length > 0
        ? { kind: 'ntlm', message: token.token, isRaw: false }
        : { kind: 'without-ntlm', isOffered: true }
  }
}

/** How long the outermost element says to be, at least; undefined when it is another one. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes[0] !== APPLICATION && bytes[0] !== RESPONSE) return undefined
  const first = bytes[1]
  if (first === undefined) return undefined
  if (first < 0x80) return 2 + first
  const count = first & 0x7f
  if (count === 0 || count > 4) return undefined
  return 2 + count + (bytes.length < 2 + count ? 0 : bytes.readUIntBE(2, count))
}

/** A NegTokenResp. `names` the mechanism. */
export function response(
  state: 'accepted' | 'incomplete' | 'request-mic',
  more: { readonly names?: boolean; readonly token?: Buffer } = {},
): Buffer {
  if (state !== 'request-mic') return serverResponse(state, more)
  const negState = der(0xa0, der(0x0a, Buffer.from([3])))
  return der(0xa1, der(0x30, negState, der(0xa1, der(0x06, NTLM))))
}
