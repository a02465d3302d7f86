// One message for many incidents: what exceeded a receiver's minute, or what a Bird brought after a silence.
import { localTime } from '@rookery/kernel/time.ts'
import type { Summed } from '../../stores/deliveries/summary.store.ts'
import { clean } from './clean.ts'

export interface Summarised {
  readonly flockId: string
  readonly flockName: string
  /** The Bird whose backlog this is; undefined for a digest. */
  readonly nodeId: string | undefined
  readonly createdAt: number
  readonly groups: readonly Summed[]
}

const MOST_GROUPS = 50

/** A digest, or a backlog's summary; `reduced` leaves every name out. */
export function summaryPayload(said: Summarised, consoleUrl: string, reduced: boolean): object {
  const incidents = sum(said.groups.map((group) => group.incidents))
  const first = Math.min(...said.groups.map((group) => group.firstAt), said.createdAt)
  const last = Math.max(...said.groups.map((group) => group.lastAt), first)
  const isBacklog = said.nodeId !== undefined
  const plural = incidents === 1 ? 'incident' : 'incidents'
  return {
    Description: isBacklog ? 'Backlog of a Bird' : 'Digest of Incidents',
    Timestamp: stamp(said.createdAt),
    ...(isBacklog && {
      BirdID: said.nodeId,
      ...(!reduced && { BirdName: clean(said.groups[0]?.name ?? '') }),
    }),
    FlockID: said.flockId,
    ...(!reduced && { FlockName: clean(said.flockName) }),
    Intro: isBacklog
      ? `A Bird that was out of reach brought ${incidents} older ${plural}.`
      : `${incidents} more ${plural} came within a minute than are told one by one.`,
    IncidentCount: incidents,
    EventCount: sum(said.groups.map((group) => group.events)),
    FirstIncident: stamp(first),
    LastIncident: stamp(last),
    AdditionalDetails: reduced
      ? []
      : said.groups
          .slice(0, MOST_GROUPS)
          .map((group) => [
            clean(isBacklog ? group.summary : `${group.summary} (${group.name})`),
            String(group.incidents),
          ]),
    AlertType: isBacklog ? 'BacklogSummary' : 'IncidentDigest',
    ConsoleUrl: consoleUrl,
    ...(reduced && { Reduced: true }),
  }
}

const stamp = (at: number): string => `${localTime(at)} (UTC)`
const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

export interface Ended {
  readonly webhookId: string
  readonly host: string
  readonly reason: string
}

/** Tells a Flock's other receiver that one was switched off. */
export const noticePayload = (
  flockId: string,
  flockName: string,
  at: number,
  ended: Ended,
  consoleUrl: string,
): object => ({
  Description: 'Alert Receiver Switched Off',
  Timestamp: stamp(at),
  FlockID: flockId,
  FlockName: clean(flockName),
  Intro: `Alerts no longer go to the receiver at ${clean(ended.host)}: ${clean(ended.reason)}`,
  AdditionalDetails: [
    ['Receiver', ended.webhookId],
    ['Host', clean(ended.host)],
    ['Reason', clean(ended.reason)],
  ],
  AlertType: 'ReceiverSwitchedOff',
  ConsoleUrl: consoleUrl,
})
