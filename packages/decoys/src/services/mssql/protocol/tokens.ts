// Tokens of an answer to a login ([MS-TDS] 2.2.7).
import { join, u16, u32, u8, utf16, zeros } from '../../../windows/fields.ts'
import { majorOf, TDS_7_2 } from './login.ts'

const TOKEN = { error: 0xaa, sspi: 0xed, done: 0xfd } as const
const DONE_ERROR = 0x02

export interface ServerError {
  readonly number: number
  readonly text: string
}

/** What each error of a login has. */
const LOGIN_STATE = 1
const LOGIN_CLASS = 14
const LINE = 1

/** ERROR (2.2.7.10) and DONE (2.2.7.6): line and row count are longer since TDS 7.2. */
export function refusal({ number, text }: ServerError, server: string, tdsVersion: number): Buffer {
  const isSince72 = majorOf(tdsVersion) >= TDS_7_2
  const content = join(
    u32(number),
    u8(LOGIN_STATE),
    u8(LOGIN_CLASS),
    u16(text.length),
    utf16(text),
    u8(server.length),
    utf16(server),
    u8(0),
    isSince72 ? u32(LINE) : u16(LINE),
  )
  return join(
    u8(TOKEN.error),
    u16(content.length),
    content,
    u8(TOKEN.done),
    u16(DONE_ERROR),
    u16(0),
    zeros(isSince72 ? 8 : 4),
  )
}

/** SSPI (2.2.7.22). */
export const sspiToken = (token: Buffer): Buffer => join(u8(TOKEN.sspi), u16(token.length), token)

/** Message 18456 of sys.messages. */
export const loginFailed = (user: string): ServerError => ({
  number: 18_456,
  text: `Login failed for user '${user}'.`,
})

/** Message 18452. */
export const untrustedDomain = (logins: 'Windows' | 'Integrated'): ServerError => ({
  number: 18_452,
  text: `Login failed. The login is from an untrusted domain and cannot be used with ${logins} authentication.`,
})

/** As Windows names somebody without a name. */
export const ANONYMOUS = 'NT AUTHORITY\\ANONYMOUS LOGON'
