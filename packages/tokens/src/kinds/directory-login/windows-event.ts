// Events of Windows' security log as log shippers write them to JSON: each keeps the names of the event's own data.
import { reportedText, valuesOf, type Values } from '../../reported.ts'
import { logonEventId, type Logon, type LogonEventId } from './logon.ts'

/**
 * The logon in an object of Winlogbeat (`winlog.event_data`), of NXLog and our script (the names at the top), or of Fluent Bit
 * (`StringInserts`, the values in the order of the event's XML); undefined for any other.
 */
export function windowsLogon(event: Values): Logon | undefined {
  const beat = valuesOf(event['winlog'])
  const eventId = logonEventId(beat?.['event_id'] ?? event['EventID'])
  if (eventId === undefined) return undefined
  const values = valuesOf(beat?.['event_data']) ?? insertsOf(eventId, event['StringInserts']) ?? event
  const text = (...names: readonly string[]): string =>
    names.map((name) => reportedText(values[name])).find((it) => it !== '') ?? ''
  return {
    eventId,
    accounts: [text('TargetUserName')],
    address: text('IpAddress'),
    workstation: text('WorkstationName', 'Workstation'),
    dc: reportedText(beat?.['computer_name'] ?? event['Computer'] ?? event['Hostname']),
    logonType: text('LogonType'),
    status: reasonOf(text('Status'), text('SubStatus')),
  }
}

/** A failed logon says in its second status whether the name or the password was wrong. */
const reasonOf = (status: string, subStatus: string): string =>
  /^(0x)?0*$/i.test(subStatus) ? status : subStatus

/** Where the values stand, counted from 0, in the order of Microsoft's reference of each event. */
const POSITIONS: { readonly [Id in LogonEventId]: Readonly<Record<string, number>> } = {
  4624: { TargetUserName: 5, LogonType: 8, WorkstationName: 11, IpAddress: 18 },
  4625: {
    TargetUserName: 5,
    Status: 7,
    SubStatus: 9,
    LogonType: 10,
    WorkstationName: 13,
    IpAddress: 19,
  },
  4768: { TargetUserName: 0, Status: 6, IpAddress: 9 },
  4771: { TargetUserName: 0, Status: 4, IpAddress: 6 },
  4776: { TargetUserName: 1, Workstation: 2, Status: 3 },
}

function insertsOf(eventId: LogonEventId, inserts: unknown): Values | undefined {
  if (!Array.isArray(inserts)) return undefined
  const values: readonly unknown[] = inserts
  return Object.fromEntries(Object.entries(POSITIONS[eventId]).map(([name, at]) => [name, values[at]]))
}
