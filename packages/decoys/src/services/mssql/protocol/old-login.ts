// The login record of TDS 4.2 and 5.0 ([MS-SSTDS] 2.2.6.3): texts of 30 bytes, each with its length behind it. SQL Server 2012
// and later close without a word, but some tools still send it.

import { textOfBytes } from '../../../session/readable.ts'

export interface OldLogin {
  readonly host: string
  readonly user: string
  readonly password: string
  readonly app: string
  readonly server: string
}

const TEXT_BYTES = 30
const AT = { host: 0, user: 31, password: 62, app: 140, server: 171 } as const
/** Up to the length of the server's name. */
const MIN_BYTES = AT.server + TEXT_BYTES + 1

/** Undefined when a length is greater than its field. */
export function readOldLogin(payload: Buffer): OldLogin | undefined {
  if (payload.length < MIN_BYTES) return undefined
  const lengths = Object.values(AT).map((at) => payload[at + TEXT_BYTES]!)
  if (lengths.some((length) => length > TEXT_BYTES)) return undefined
  const text = (at: number): string => textOfBytes(payload.subarray(at, at + payload[at + TEXT_BYTES]!))
  return {
    host: text(AT.host),
    user: text(AT.user),
    password: text(AT.password),
    app: text(AT.app),
    server: text(AT.server),
  }
}
