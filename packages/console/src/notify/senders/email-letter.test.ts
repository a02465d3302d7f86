// What came from outside stays text in letters and SMS, in every kind of message.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOSTILE, queuedRow } from '../../../test/hostile.ts'
import { describeIncident, describeReduced, describeTest } from '../message/incident.ts'
import type { Message } from '../message/message.ts'
import { describeNotice, describeSummary } from '../message/summary.ts'
import { describeWeekly, type Weekly } from '../message/weekly.ts'
import { letterOf } from './email-letter.ts'
import { smsText } from './sms.ts'

const CONSOLE_URL = 'https://rookery.example.com/?a=1&b="2"'

/** The same hostile text in every place of every kind of message; `named` where a decoy or the console gives a name. */
function messages(text: string, named = text): readonly Message[] {
  const row = queuedRow(text, JSON.stringify({ [named]: text, LIST: [text], PASSWORD: text }))
  const group = { summary: named, name: text, incidents: 2, events: 3, firstAt: 0, lastAt: 1 }
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
  const week: Weekly = {
    from: 0,
    until: 1,
    tz: 'UTC',
    isWhole: true,
    flocks: Array(60).fill(flock) as (typeof flock)[],
  }
  return [
    describeIncident(row, CONSOLE_URL),
    describeIncident({ ...row, memo: null }, CONSOLE_URL),
    describeReduced(row, CONSOLE_URL),
    describeTest({ id: 'flock:default', name: text }, 0, CONSOLE_URL),
    describeSummary({ ...row, subject: 'digest' }, [group], CONSOLE_URL),
    describeNotice(
      { ...row, subject: 'notice', payload: JSON.stringify({ webhookId: 'a', host: text, reason: text }) },
      CONSOLE_URL,
    ),
    describeWeekly({ ...row, payload: JSON.stringify(week) }, CONSOLE_URL),
    describeWeekly({ ...row, payload: JSON.stringify({ ...week, isWhole: false }) }, CONSOLE_URL),
  ]
}

function everywhere(check: (message: Message) => void, named?: string): void {
  for (const text of HOSTILE) messages(text, named).forEach(check)
  const piece = fc.constantFrom(
    '<',
    '>',
    '&',
    '"',
    "'",
    '\n',
    '\r\n',
    '\u2028',
    '\u0085',
    'EVIL: 1',
    '</td>',
    '<a href=x>',
  )
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 30 })
  fc.assert(
    fc.property(text, (pieces) => messages(pieces.join(''), named).forEach(check)),
    { numRuns: 30 },
  )
}

const OURS =
  /<!doctype html>|<\/?(html|head|title|body|h1|h2|p|table|tr|td)( lang="en"| style="[-\w:;,# ]*")?>|<meta charset="utf-8">|<a href="https:\/\/rookery\.example\.com\/\?a=1&amp;b=&quot;2&quot;">|<\/a>/g

describe('a letter', () => {
  it('has no tag, entity or link but ours', () => {
    everywhere((message) => {
      const left = letterOf(message).html.replace(OURS, '')
      expect(left).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
    })
  })

  it('has no line of the intruder’s that begins where ours begin, and one line of subject', () => {
    everywhere((message) => {
      const { subject, text } = letterOf(message)
      expect(
        text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line.startsWith('EVIL')),
      ).toEqual([])
      expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(subject.length).toBeLessThanOrEqual(150)
      expect(subject).toMatch(/^\[Rookery\] \S/)
    }, 'NAME')
  })

  it('stays small, whatever a Bird or an intruder sends', () => {
    for (const message of messages('<\ud83d\ude00&>'.repeat(20_000))) {
      const { text, html } = letterOf(message)
      expect(text.length + html.length).toBeLessThan(500_000)
    }
  })
})

describe('an SMS', () => {
  it('is one line of at most 160 characters, and never cut within one', () => {
    everywhere((message) => {
      const text = smsText(message)
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(text.length).toBeLessThanOrEqual(160)
      expect(text.isWellFormed()).toBe(true)
      expect(text).toMatch(/^Rookery: \S/)
    })
  })
})
