// A call of AWS's API as CloudTrail records it and EventBridge delivers it (CloudTrail user guide, "CloudTrail record contents").
import type { EventFields } from '@rookery/kernel/touch.ts'
import { readSource, reportedText, valuesOf } from '../../reported.ts'

export interface RecordedCall {
  /** CloudTrail's id of the record: it may be delivered more than once. */
  readonly eventId: string
  /** Of the key that signed the call. */
  readonly accessKeyId: string
  /** When AWS got the call, milliseconds UTC. */
  readonly at: number
  /** Such as `GetCallerIdentity`. */
  readonly eventName: string
  /** Empty where a service of AWS made the call. */
  readonly srcHost: string
  readonly fields: EventFields
}

/** The call in an event of EventBridge; undefined for another event, and for a call that no access key signed. */
export function recordedCall(event: unknown): RecordedCall | undefined {
  const { detail } = valuesOf(event) ?? {}
  const record = valuesOf(detail)
  const identity = valuesOf(record?.['userIdentity'])
  if (!record || !identity) return undefined
  const accessKeyId = reportedText(identity['accessKeyId'])
  const eventId = reportedText(record['eventID'])
  const at = Date.parse(reportedText(record['eventTime']))
  if (accessKeyId === '' || eventId === '' || Number.isNaN(at)) return undefined
  const source = reportedText(record['sourceIPAddress'])
  const srcHost = readSource(source) ?? ''
  return {
    eventId,
    accessKeyId,
    at,
    srcHost,
    eventName: reportedText(record['eventName']),
    fields: {
      event_source: reportedText(record['eventSource']),
      region: reportedText(record['awsRegion']),
      account: reportedText(record['recipientAccountId']) || reportedText(identity['accountId']),
      access_key_id: accessKeyId,
      error_code: reportedText(record['errorCode']),
      request_id: reportedText(record['requestID']),
      useragent: reportedText(record['userAgent']),
      ...(srcHost === '' && source !== '' && { src_host_left_out: `${source} is no IP address` }),
    },
  }
}
