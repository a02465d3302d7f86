// What a console has of the touches of its Bird: all of them, once, in their order, at their time.
import { reading } from '../../rig/scenes/stored.ts'
import { laneOf, type Visitors } from './backlog-visitors.ts'
import { passwordOf } from './power/touches.ts'

export interface JudgedBacklog {
  readonly lost: number
  readonly doubled: number
  /** Events stored behind one that the same source, or an earlier source of the same visitor, made later. */
  readonly outOfOrder: number
  /** Events whose time is not the one at which they happened. */
  readonly mistimed: number
}

export interface StoredTouch {
  readonly number: number
  readonly source: string
  readonly at: number
}

/** In the order in which they were stored: incident by incident, event by event. */
export const storedTouches = (data: string): StoredTouch[] =>
  reading(
    data,
    (db) =>
      db
        .prepare(
          `SELECT CAST(substr(json_extract(e.body, '$.ARGS'), ${passwordOf(0).length}) AS INTEGER) AS number,
             i.src_host AS source, e.at AS at
           FROM incident_event e JOIN incident i ON i.incident_id = e.incident_id
           WHERE json_extract(e.body, '$.CMD') = 'AUTH' ORDER BY e.incident_id, e.nth`,
        )
        .all() as unknown as StoredTouch[],
  )

export function judgeBacklog(data: string, { answered }: Visitors): JudgedBacklog {
  const stored = storedTouches(data)
  const numbers = new Set(stored.map(({ number }) => number))
  const latest = new Map<number, number>()
  let outOfOrder = 0
  let mistimed = 0
  for (const { number, source, at } of stored) {
    const lane = laneOf(source)
    if (number <= (latest.get(lane) ?? 0)) outOfOrder++
    latest.set(lane, number)
    const time = answered.get(number)
    if (time && (at < time.from || at > time.to)) mistimed++
  }
  return {
    lost: [...answered.keys()].filter((number) => !numbers.has(number)).length,
    doubled: stored.length - numbers.size,
    outOfOrder,
    mistimed,
  }
}
