// Out of reported logons, those of the token's accounts, as visits. Several events of one logon are one visit.
import { limit } from '@rookery/kernel/limit.ts'
import { readSource } from '../../reported.ts'
import type { ReportedVisit } from '../../token.ts'
import { accountName, outcomeOf, type Logon } from './logon.ts'

/** Each may be an incident of its own: a request must not cause more than these. */
const LOGONS = limit('logons_of_a_request', 64)

/** `reportedBy` is the address of the request, `dc` the domain controller where the event names none. */
export function visitsOf(
  logons: readonly Logon[],
  usernames: readonly string[],
  { reportedBy, dc }: { readonly reportedBy: string; readonly dc: string },
): readonly ReportedVisit[] {
  const named = new Map(usernames.map((username) => [accountName(username), username]))
  const visits = new Map<string, ReportedVisit>()
  for (const logon of logons) {
    const username = usernameOf(logon, named)
    if (username === undefined) continue
    const visit = visitOf({ ...logon, dc: logon.dc || dc }, username, reportedBy)
    if (visits.has(visit.visitor)) continue
    if (visits.size >= LOGONS.max) {
      LOGONS.hit()
      break
    }
    visits.set(visit.visitor, visit)
  }
  return [...visits.values()]
}

const usernameOf = ({ accounts }: Logon, named: ReadonlyMap<string, string>): string | undefined =>
  accounts.map((account) => named.get(accountName(account))).find((it) => it !== undefined)

function visitOf(logon: Logon, username: string, reportedBy: string): ReportedVisit {
  const { eventId, address, workstation, dc, logonType, status, reportId } = logon
  const srcHost = readSource(address) ?? ''
  const outcome = outcomeOf(logon)
  return {
    srcHost,
    eventName: eventId,
    visitor: [accountName(username), srcHost || workstation.toLowerCase(), outcome].join('|'),
    fields: {
      username,
      outcome,
      workstation,
      dc,
      logon_type: logonType,
      status,
      reported_by: reportedBy,
      ...(srcHost === '' && address !== '' && { src_host_left_out: `${address} is no IP address` }),
    },
    ...(reportId !== undefined && { invocation: reportId }),
  }
}
