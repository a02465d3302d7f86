// Why a connection that users asked for failed, in words that may be shown: no URL and no secret stands in them.
import { byWord } from '@rookery/kernel/by-word.ts'
import { certificateCause } from './certificate-cause.ts'

/** Undefined for a failure that is none of the usual ones. */
export function failureCause(error: unknown): string | undefined {
  const { code, errors } = error as { code?: string; errors?: readonly { code?: string }[] }
  return certificateCause(error) ?? CAUSES[code ?? ''] ?? CAUSES[errors?.[0]?.code ?? '']
}

const CAUSES = byWord<string>({
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The answer has too many header bytes.',
})
