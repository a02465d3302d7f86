// Messages in which every text comes from outside, and a check of them all: what each way to a receiver must withstand.
import fc from 'fast-check'
import { describeIncident, describeReduced, describeTest } from '../src/notify/message/incident.ts'
import type { Message } from '../src/notify/message/message.ts'
import { describeNotice, describeSummary } from '../src/notify/message/summary.ts'
import { describeWeekly, type WeeklyPayload } from '../src/notify/message/weekly.ts'
import { HOSTILE, queuedRow } from './hostile.ts'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'

/** The same hostile text in every place of every kind of message; `named` where a decoy or the console gives a name. */
export function hostileMessages(
  text: string,
  consoleUrl: string,
  { named = text, flocks = 2 } = {},
): readonly Message[] {
  const row = queuedRow(text, JSON.stringify({ [named]: text, LIST: [text], PASSWORD: text }))
  const group = { summary: named, name: text, incidents: 2, events: 3, firstAt: 0, lastAt: 1 }
  const notice = JSON.stringify({ webhookId: 'a', host: text, reason: text })
  const flock = {
    id: 'flock:default',
    name: named,
    incidents: 3,
    bySummary: [[named, 3]] as const,
    bySource: [[named, 3]] as const,
    birds: 3,
    live: 1,
    dead: 1,
    unacknowledged: 2,
  }
  const week: WeeklyPayload = {
    from: 0,
    until: 1,
    tz: 'UTC',
    isWhole: true,
    flocks: Array<typeof flock>(flocks).fill(flock),
  }
  return [
    describeIncident(row, consoleUrl),
    describeIncident({ ...row, memo: null }, consoleUrl),
    describeReduced(row, consoleUrl),
    describeTest({ id: 'flock:default', name: text }, 0, consoleUrl),
    describeSummary({ ...row, subject: 'digest' }, Array<typeof group>(60).fill(group), consoleUrl),
    describeSummary({ ...row, subject: 'backlog', payload: 'b'.repeat(16) }, [group], consoleUrl),
    describeSummary({ ...row, subject: 'digest', reduced: 1 }, [group], consoleUrl),
    describeNotice({ ...row, subject: 'notice', payload: notice }, consoleUrl),
    describeWeekly({ ...row, payload: JSON.stringify(week) }, consoleUrl),
    describeWeekly({ ...row, payload: JSON.stringify({ ...week, isWhole: false }) }, consoleUrl),
  ]
}

/** Checks the known attacks, and random texts made of `pieces`: what the target reads as more than text. */
export function forEachHostileMessage(
  check: (message: Message) => void,
  { consoleUrl, pieces, named }: { consoleUrl: string; pieces: readonly string[]; named?: string },
): void {
  const checkAll = (text: string): void =>
    hostileMessages(text, consoleUrl, named === undefined ? {} : { named }).forEach(check)
  HOSTILE.forEach(checkAll)
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 6 }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (text) => checkAll(text.join(''))),
    { numRuns: 30 },
  )
}

/** Characters that act instead of being read. */
export const ACTING = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\u061c]/u
