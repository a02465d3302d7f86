// Sign-ins of apps, as the directory records them some minutes later (Microsoft Graph beta, `signIn`; v1.0 cannot filter them).
import type { ProviderEvent } from '../../provider.ts'
import { isRecord } from '../../provider-call.ts'
import { readSource, reportedText } from '../../reported.ts'
import { pages, type CallGraph } from './graph.ts'

/** A filter may have about 15 clauses. */
const APPS_OF_A_QUERY = 10
/** A sign-in appears late: each poll asks again for the time before the last one. */
const OVERLAP_MS = 2 * 3_600_000

/** `since` is when it was asked last, milliseconds UTC. */
export async function signInsOf(
  call: CallGraph,
  appIds: readonly string[],
  since: number,
): Promise<readonly ProviderEvent[]> {
  const events: ProviderEvent[] = []
  for (let at = 0; at < appIds.length; at += APPS_OF_A_QUERY) {
    const apps = appIds.slice(at, at + APPS_OF_A_QUERY).map((id) => `appId eq '${id.replaceAll("'", "''")}'`)
    const filter = [
      `createdDateTime ge ${new Date(since - OVERLAP_MS).toISOString()}`,
      `signInEventTypes/any(t: t eq 'servicePrincipal')`,
      `(${apps.join(' or ')})`,
    ].join(' and ')
    const path = `/beta/auditLogs/signIns?$filter=${encodeURIComponent(filter)}&$top=500`
    for await (const entry of pages(call, path)) {
      const event = signInEvent(entry)
      if (event) events.push(event)
    }
  }
  return events
}

/** Undefined for an entry without id, app or time. */
function signInEvent(entry: Readonly<Record<string, unknown>>): ProviderEvent | undefined {
  const id = reportedText(entry['id'])
  const remoteId = reportedText(entry['appId'])
  const at = Date.parse(reportedText(entry['createdDateTime']))
  if (id === '' || remoteId === '' || Number.isNaN(at)) return undefined
  const address = reportedText(entry['ipAddress'])
  const srcHost = readSource(address) ?? ''
  return {
    id,
    remoteId,
    at,
    srcHost,
    eventName: 'ServicePrincipalSignIn',
    fields: {
      resource: reportedText(entry['resourceDisplayName']) || reportedText(entry['resourceId']),
      location: placeIn(entry['location']),
      app_id: remoteId,
      cert_id:
        reportedText(entry['servicePrincipalCredentialThumbprint']) ||
        reportedText(entry['servicePrincipalCredentialKeyId']),
      status: outcomeIn(entry['status']),
      ...(srcHost === '' && address !== '' && { src_host_left_out: `${address} is no IP address` }),
    },
  }
}

function placeIn(location: unknown): string {
  if (!isRecord(location)) return ''
  const names = ['city', 'state', 'countryOrRegion'].map((name) => reportedText(location[name]))
  return names.filter((name) => name !== '').join(', ')
}

/** `0`, or the number of the error and its reason. */
function outcomeIn(status: unknown): string {
  if (!isRecord(status)) return ''
  const [code, reason] = [reportedText(status['errorCode']), reportedText(status['failureReason'])]
  return code === '0' || reason === '' ? code : `${code} ${reason}`
}
