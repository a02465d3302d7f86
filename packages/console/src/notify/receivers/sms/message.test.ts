import { describe, expect, it } from 'vitest'
import { queuedRow } from '../../../../test/hostile.ts'
import { forEachHostileMessage } from '../../../../test/hostile-messages.ts'
import { describeIncident } from '../../message/incident.ts'
import { smsText } from './message.ts'

const CONSOLE_URL = 'https://rookery.example.com/'
const PIECES = ['<', '\n', '\r\n', '\u2028', '\u0085', '\t', 'Rookery: ']

describe('an SMS', () => {
  it('is one line of at most 160 characters, and never cut within one', () => {
    forEachHostileMessage(
      (message) => {
        const text = smsText(message)
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(text.length).toBeLessThanOrEqual(160)
        expect(text.isWellFormed()).toBe(true)
        expect(text).toMatch(/^Rookery: \S/)
      },
      { consoleUrl: CONSOLE_URL, pieces: PIECES },
    )
  })

  it('of an incident of the Flock names it once', () => {
    const row = {
      ...queuedRow('Lab', '{}'),
      memo: null,
      node_id: 'flock:default',
      summary: 'Flock Settings Changed',
      src_host: '10.0.0.9',
      flock_name: 'Lab',
    }
    expect(smsText(describeIncident(row, CONSOLE_URL, {}))).toBe(
      'Rookery: Flock Settings Changed from 10.0.0.9 (Lab)',
    )
  })

  it('says what to do next in whole sentences, as far as there is room', () => {
    const row = { ...queuedRow('nas', '{}'), memo: null, src_host: '10.0.0.9', flock_name: 'Lab' }
    const guidance = {
      meaning: 'Somebody tries passwords.',
      next: [`Look at ${'every '.repeat(20)}log.`, 'Find out who owns the source.'],
    }
    expect(smsText(describeIncident(row, CONSOLE_URL, guidance))).toBe(
      'Rookery: SSH Login Attempt on nas from 10.0.0.9 (Lab). Somebody tries passwords. Find out who owns the source.',
    )
  })
})
