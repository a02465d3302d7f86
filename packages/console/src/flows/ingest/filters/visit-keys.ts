// By which texts a visit is known, from that of its visitor to what tells it apart: a request that says less is part of it.
import { hash } from 'node:crypto'
import type { VisitDetail } from '@rookery/tokens/channel.ts'
import type { AskedVisit } from './stored-visits.ts'
import { MAX_VISIT_MS, type StartedVisit, type VisitBatch } from './visit-dedup.ts'

export interface VisitKeys {
  /** Of the visit itself. */
  readonly visitor: string
  /** Of all that it is a part of, its visitor first. */
  readonly within: readonly string[]
  /** A later request may say more of it, and joins it then. */
  readonly isOpen: boolean
}

/** `visitor` is as of `visitorOf`. */
export function visitKeys(visitor: string, detail: VisitDetail): VisitKeys {
  const keys = [visitor]
  for (const level of detail) if (level !== undefined) keys.push(`${keys.at(-1)}|${shortOf(level)}`)
  return {
    visitor: keys.at(-1) ?? visitor,
    within: keys.slice(0, -1),
    isOpen: detail.at(-1) === undefined && detail.length > 0,
  }
}

/** 128 bits: strangers choose what it is made of, and how long that is. */
const shortOf = (level: string): string => hash('sha256', level, 'base64url').slice(0, 22)

/** In the place of what is yet to be said. */
const openKey = (key: string): string => `${key}|?`

/** Of a touch that was deferred; undefined where it is of no token. */
export const keysOfDeferred = ({
  visitor,
  within = [],
  isOpen = false,
}: Partial<VisitKeys>): VisitKeys | undefined =>
  visitor === undefined ? undefined : { visitor, within, isOpen }

/** All marks that say what the request is part of. */
export const askedOf = (
  { visitor, within }: VisitKeys,
  { receivedAt }: Pick<AskedVisit, 'receivedAt'>,
): AskedVisit[] =>
  [visitor, ...within.flatMap((key) => [key, openKey(key)])].map((it) => ({ visitor: it, receivedAt }))

/** Begins the visit. */
export function markVisit(
  dedup: VisitBatch,
  { visitor, within, isOpen }: VisitKeys,
  at: number,
  aggregationKey: string,
  keptMs?: number,
): void {
  for (const key of [...within, visitor]) dedup.mark(key, at, aggregationKey, keptMs)
  if (isOpen) dedup.mark(openKey(visitor), at, aggregationKey)
}

/** The visit that goes on without what this request says of it; from now on the request is what it is known by. */
export function joinOpen(dedup: VisitBatch, keys: VisitKeys, at: number): StartedVisit | undefined {
  const { visitor, within, isOpen } = keys
  const nearest = within.findLast((key) => dedup.isRepeated(key, at))
  const start = nearest === undefined ? undefined : dedup.startOf(openKey(nearest), at)
  if (nearest === undefined || start === undefined || dedup.isRepeated(visitor, at)) return undefined
  const below = within.slice(within.indexOf(nearest) + 1)
  markVisit(dedup, { visitor, within: below, isOpen }, start.at, start.aggregationKey)
  dedup.mark(openKey(nearest), start.at - MAX_VISIT_MS, start.aggregationKey)
  return start
}
