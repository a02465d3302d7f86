// An alert as a row: the columns of the stream. A request has at most 1 MB, and a value 64 KB ("Logs ingestion API", service limits).
import { fieldsOf } from '../../message/fields.ts'
import { fitted } from '../../message/fitted.ts'
import type { Message } from '../../message/message.ts'

/** A character of UTF-16 is at most three bytes, or six as an escape. */
const ROOM = { details: 100, text: 5_000 }
const DETAILS = 10_000

/** The body of a request: a list of one row. What is not known is left out, and null in the table. */
export function rowsOf(message: Message, messageId: string): string {
  const all = fitted(fieldsOf(message, messageId, false), ROOM)
  const details = all.details.map(([label, value]) => `${label}: ${value}`).join('\n')
  const row = {
    TimeGenerated: new Date(all.at).toISOString(),
    MessageId: messageId,
    IncidentId: all.id,
    IncidentKey: all.key,
    Subject: all.subject,
    Level: all.level,
    Logtype: all.logtype,
    Name: all.name,
    Text: all.text,
    Events: all.events,
    SourceAddress: all.sourceAddress,
    SourceName: all.sourceName,
    NodeId: all.nodeId,
    NodeName: all.nodeName,
    NodeAddress: all.nodeAddress,
    NodePort: all.nodePort,
    FlockId: all.flockId,
    FlockName: all.flockName,
    UserName: all.user,
    Path: all.path,
    Memo: all.memo,
    Url: all.url,
    Details: details.slice(0, DETAILS).toWellFormed(),
  }
  return JSON.stringify([
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== -1)),
  ])
}
