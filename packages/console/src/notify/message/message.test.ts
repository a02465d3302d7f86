import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { Webhook } from 'standardwebhooks'
import { queuedRow as row, texts } from '../../../test/hostile.ts'
import { ACTING } from '../../../test/hostile-messages.ts'
import { systemRandom } from '../../world/system.ts'
import { newSecret, sign } from '../receivers/generic/sign.ts'
import { sanitize } from './sanitize.ts'
import { describeIncident, describeReduced } from './incident.ts'
import { letterOf } from './letter.ts'
import { alertPayload } from './payload.ts'
import { describeSummary } from './summary.ts'

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 })

describe('what a receiver gets', () => {
  it('holds no character that acts instead of being read, whatever the intruder wrote', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText), fc.integer())),
        (text, event) => {
          const message = alertPayload(describeIncident(row(text, JSON.stringify(event)), 'http://c.test'))
          for (const text of texts(message)) expect(text.replace(/[\t\n]/g, '')).not.toMatch(ACTING)
          expect(JSON.parse(JSON.stringify(message))).toEqual(message)
        },
      ),
    )
  })

  it('keeps ordinary text as it is', () => {
    for (const text of ['Grüße, 世界 👩‍🚒'.replace('\u200d', ''), 'a\tb\nc', '<b>&"\''])
      expect(sanitize(text)).toBe(text)
  })

  it('names nobody in the reduced form', () => {
    fc.assert(
      fc.property(fc.uuid(), (secret) => {
        const incident = row(secret, JSON.stringify({ PASSWORD: secret }))
        expect(JSON.stringify(describeReduced(incident, 'http://c.test'))).not.toContain(secret)
        const groups = [{ summary: secret, name: secret, incidents: 2, events: 3, firstAt: 0, lastAt: 1 }]
        const summarised = { ...incident, subject: 'backlog', payload: 'b'.repeat(16) } as const
        const rendered = (reduced: number): string =>
          JSON.stringify(describeSummary({ ...summarised, reduced }, groups, 'http://c.test'))
        expect(rendered(1)).not.toContain(secret)
        expect(rendered(0)).toContain(secret)
      }),
    )
  })
})

describe('what a logtype says for people', () => {
  const event = JSON.stringify({ LOCALNAME: 'nas', PASSWORD: 'toor', USERNAME: 'root' })
  const guidance = {
    evidence: ['USERNAME', 'PASSWORD', 'KEY'],
    meaning: 'Somebody tries passwords.',
    next: ['Find the owner of the source.', 'Change the password if it is real.'],
  }
  const message = describeIncident({ ...row('x', event), memo: null }, 'http://c.test', guidance)

  it('puts the best evidence first among the details, and keeps the rest in its order', () => {
    expect(alertPayload(message)).toMatchObject({
      AdditionalDetails: [
        ['USERNAME', 'root'],
        ['PASSWORD', 'toor'],
        ['LOCALNAME', 'nas'],
      ],
    })
  })

  it('adds nothing to the payload, and meaning and next steps to what people read, before the details', () => {
    const without = describeIncident({ ...row('x', event), memo: null }, 'http://c.test', {})
    expect(Object.keys(alertPayload(message))).toEqual(Object.keys(alertPayload(without)))
    expect(letterOf(message).text).toContain(
      [
        'What it means: Somebody tries passwords.',
        'What to do next: Find the owner of the source. Change the password if it is real.',
        'USERNAME: root',
      ].join('\n'),
    )
    expect(letterOf(without).text).not.toMatch(/What it means|What to do next/)
  })

  it('is left out of the reduced form and of logtypes that say nothing', () => {
    expect(describeReduced(row('x', event), 'http://c.test')).toMatchObject({ meaning: '', next: [] })
    const unknown = { ...row('x', event), logtype: '999999' }
    expect(describeIncident(unknown, 'http://c.test')).toMatchObject({ meaning: '', next: [] })
  })
})

describe('a signature', () => {
  it('is accepted by the standard’s own verifier, and only for what was signed', () => {
    fc.assert(
      fc.property(fc.json(), fc.uuid(), (body, id) => {
        const secret = newSecret(systemRandom)
        const timestamp = Math.floor(Date.now() / 1000)
        const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
        const signature = sign(secret, id, timestamp, body)
        const verifier = new Webhook(secret)
        verifier.verify(body, { ...headers, 'webhook-signature': signature })
        expect(() => verifier.verify(body + ' ', { ...headers, 'webhook-signature': signature })).toThrow()
        expect(() =>
          verifier.verify(body, { ...headers, 'webhook-id': 'x', 'webhook-signature': signature }),
        ).toThrow()
      }),
    )
  })
})
