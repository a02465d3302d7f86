// The server's side up to the login, as a PostgreSQL 15 without TLS and GSSAPI.
import type { LoginProtocol, LoginStep } from '../../login-protocol.ts'
import { errorResponse } from './error-response.ts'
import { readParameters } from './parameters.ts'
import type { PostgresLogin } from './visit.ts'

/**
 *   byte      0 … 3        4 … 7     8 …
 *           ┌────────────┬─────────┬─────────────────────────────────────┐
 *           │ length, BE │ version │ of a start: name, NUL, value, NUL … │
 *           └────────────┴─────────┴─────────────────────────────────────┘
 */
const HEADER_BYTES = 8
/** MAX_STARTUP_PACKET_LENGTH */
const MAX_BYTES = 10_000
const CANCEL_REQUEST = 80_877_102
const SSL_REQUEST = 80_877_103
const GSSENC_REQUEST = 80_877_104

const NOT_OFFERED = Buffer.from('N')
const SILENT: LoginStep<PostgresLogin> = { name: 'refused', answer: Buffer.alloc(0) }

export const postgresProtocol: LoginProtocol<PostgresLogin> = {
  greeting: () => Buffer.alloc(0),
  read(bytes) {
    if (bytes.length < HEADER_BYTES) return { name: 'incomplete', bytes: HEADER_BYTES }
    const length = bytes.readUInt32BE(0)
    if (length < HEADER_BYTES || length > MAX_BYTES) return SILENT
    if (bytes.length < length) return { name: 'incomplete', bytes: length }
    const version = bytes.readUInt32BE(4)
    if (version === SSL_REQUEST || version === GSSENC_REQUEST)
      return { name: 'request', bytes: length, answer: NOT_OFFERED }
    if (version === CANCEL_REQUEST) return SILENT
    if (version >>> 16 !== 3) return unsupported(version)
    return started(bytes.subarray(HEADER_BYTES, length))
  },
}

function started(body: Buffer): LoginStep<PostgresLogin> {
  const parameters = readParameters(body)
  if (parameters === undefined)
    return fatal('08P01', 'invalid startup packet layout: expected terminator as last byte', 2_334)
  const user = parameters.get('user') ?? ''
  if (user === '') return fatal('28000', 'no PostgreSQL user name specified in startup packet', 2_351)
  const database = parameters.get('database') || user
  return {
    name: 'login',
    login: { user, database, applicationName: parameters.get('application_name') ?? '' },
  }
}

function unsupported(version: number): LoginStep<PostgresLogin> {
  const major = version >>> 16
  const message = `unsupported frontend protocol ${major}.${version & 0xffff}: server supports 3.0 to 3.0`
  // Clients of versions before 3 take a text alone.
  return major < 3
    ? { name: 'refused', answer: Buffer.from(`EFATAL:  ${message}\n\0`) }
    : fatal('0A000', message, 2_222)
}

const fatal = (code: string, message: string, line: number): LoginStep<PostgresLogin> => ({
  name: 'refused',
  answer: errorResponse({
    code,
    message,
    raisedBy: { file: 'postmaster.c', line, routine: 'ProcessStartupPacket' },
  }),
})
