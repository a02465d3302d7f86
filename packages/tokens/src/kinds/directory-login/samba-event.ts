// A line of Samba's log class `auth_json_audit`.
import { reportedText, valuesOf } from '../../reported.ts'
import { logonEventId, type Logon } from './logon.ts'

/** The logon in an object of type `Authentication`; undefined for any other. Samba does not name the domain controller. */
export function sambaLogon(event: Readonly<Record<string, unknown>>): Logon | undefined {
  const values = valuesOf(event['Authentication'])
  const eventId = logonEventId(values?.['eventId'])
  if (!values || eventId === undefined) return undefined
  return {
    eventId,
    // A client may name the account by an alias: Samba says which one it is.
    accounts: [reportedText(values['clientAccount']), reportedText(values['mappedAccount'])],
    address: addressIn(reportedText(values['remoteAddress'])),
    workstation: reportedText(values['workstation']),
    dc: '',
    logonType: reportedText(values['logonType']),
    status: reportedText(values['status']),
  }
}

/** `ipv4:192.0.2.7:49862` and `ipv6:2001:db8::7:49862` without family and port; a logon by a local socket has no address. */
const addressIn = (text: string): string =>
  text.startsWith('unix:') ? '' : text.replace(/^ipv[46]:(.*):\d+$/s, '$1')
