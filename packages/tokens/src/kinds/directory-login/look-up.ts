// A logon reported by a look-up, where the console cannot be reached by HTTP: its values in hexadecimal, since DNS keeps neither
// the case nor most characters.
import { reportedText } from '../../reported.ts'
import { logonEventId, type Logon } from './logon.ts'

/** The label next to the token's: names without it are shorter parts of one. */
export const LOOK_UP_MARKER = 'logon'

/**
 * The logon in the labels in front of the token's, `<event id>.u<user>.a<address>.w<workstation>.d<domain
 * controller>.t<logon type>.s<status>.<8-character id>.logon`; undefined for any others.
 */
export function logonOf(labels: readonly string[]): Logon | undefined {
  const [id, user, address, workstation, dc, logonType, status, reportId, marker, ...rest] = labels
  const eventId = logonEventId(id)
  if (eventId === undefined || marker !== LOOK_UP_MARKER || rest.length > 0) return undefined
  if (reportId === undefined || !/^[a-z0-9]{8}$/.test(reportId)) return undefined
  return {
    eventId,
    accounts: [hexText(user)],
    address: hexAddress(address),
    workstation: hexText(workstation),
    dc: hexText(dc),
    logonType: reportedText(logonType?.slice(1)),
    status: reportedText(status?.slice(1)),
    reportId,
  }
}

/** A cut label ends inside a character: what is left of that is `�`. */
const hexText = (label = ''): string => reportedText(hexBytes(label).toString())

function hexAddress(label = ''): string {
  const bytes = hexBytes(label)
  if (bytes.length === 4) return bytes.join('.')
  const groups = bytes.toString('hex').match(/.{4}/g) ?? []
  return groups.join(':')
}

/** Behind the letter that names the label. */
const hexBytes = (label: string): Buffer => Buffer.from(label.slice(1), 'hex')
