// A logon as a domain controller records it, whatever program reports it.
import { reportedText } from '../../reported.ts'

/** Texts as they were reported: short and printable, and of unknown truth. An absent one is empty. */
export interface Logon {
  readonly eventId: LogonEventId
  /** `user`, `user@REALM` or `DOMAIN\user`: each spelling that the event has. */
  readonly accounts: readonly string[]
  readonly address: string
  readonly workstation: string
  readonly dc: string
  readonly logonType: string
  readonly status: string
  /** Drawn once for the report, where it may come again. */
  readonly reportId?: string
}

/**
 * Kerberos ticket granted or refused (4768), pre-authentication failed (4771), credentials validated (4776), logon failed
 * (4625), logon (4624).
 */
export const LOGON_EVENT_IDS = ['4768', '4771', '4776', '4625', '4624'] as const

export type LogonEventId = (typeof LOGON_EVENT_IDS)[number]

/** The event id; undefined for any other event. */
export function logonEventId(value: unknown): LogonEventId | undefined {
  const id = reportedText(value)
  return LOGON_EVENT_IDS.find((known) => known === id)
}

/** The account alone, in lower case, of `user`, `user@REALM` and `DOMAIN\user`. */
export function accountName(spelling: string): string {
  // Kerberos escapes the first @ of an enterprise name (RFC 6806): `user\@suffix@REALM`.
  const account = spelling.replace('\\@', '@').split('\\').at(-1) ?? ''
  return (account.split('@')[0] ?? '').trim().normalize('NFC').toLowerCase()
}

/** Whether the logon succeeded: the event says it, or its status. */
export function outcomeOf({ eventId, status }: Pick<Logon, 'eventId' | 'status'>): 'succeeded' | 'failed' {
  if (eventId === '4624') return 'succeeded'
  if (eventId === '4625' || eventId === '4771') return 'failed'
  return /^(0x)?0+$/i.test(status) ? 'succeeded' : 'failed'
}
