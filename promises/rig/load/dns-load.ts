// DNS queries at the least cost, from a process of their own.
import { openJobs, type Jobs } from './jobs.ts'

/** Sources of the queries, each of a network of its own. */
export const RESOLVERS = 256

export interface DnsJob {
  readonly port: number
  readonly names: readonly string[]
  /** The number of the first query: no two have the same name and the same network of 256. */
  readonly first: number
  readonly ms: number
}

export interface DnsLoad {
  readonly answered: number
  readonly perSecond: number
  /** Answers that say anything but NOERROR. */
  readonly refused: number
  /** Queries that were not answered within a second, and not asked again. */
  readonly lost: number
  readonly p50: number
  readonly p99: number
  readonly next: number
}

export type DnsLoader = Jobs<DnsJob, DnsLoad>

export const openDnsLoader = (): DnsLoader => openJobs('dns-load.child.ts')
