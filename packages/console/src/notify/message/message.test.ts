import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { queuedRow as row, texts } from '../../../test/hostile.ts'
import { systemRandom } from '../../world/system.ts'
import { newSecret, sign } from '../sign.ts'
import { clean } from './clean.ts'
import { describeIncident, describeReduced } from './incident.ts'
import { plainObject } from './plain.ts'
import { describeSummary } from './summary.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })
const ACTING = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\u061c]/u

describe('what a receiver is told', () => {
  it('holds no character that acts instead of being read, whatever the intruder wrote', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText), fc.integer())),
        (text, event) => {
          const message = plainObject(describeIncident(row(text, JSON.stringify(event)), 'http://c.test'))
          for (const said of texts(message)) expect(said.replace(/[\t\n]/g, '')).not.toMatch(ACTING)
          expect(JSON.parse(JSON.stringify(message))).toEqual(message)
        },
      ),
    )
  })

  it('keeps ordinary text as it is', () => {
    for (const text of ['Grüße, 世界 👩‍🚒'.replace('\u200d', ''), 'a\tb\nc', '<b>&"\''])
      expect(clean(text)).toBe(text)
  })

  it('names nobody in the reduced form', () => {
    fc.assert(
      fc.property(fc.uuid(), (secret) => {
        const incident = row(secret, JSON.stringify({ PASSWORD: secret }))
        expect(JSON.stringify(describeReduced(incident, 'http://c.test'))).not.toContain(secret)
        const groups = [{ summary: secret, name: secret, incidents: 2, events: 3, firstAt: 0, lastAt: 1 }]
        const summarised = { ...incident, subject: 'backlog', payload: 'b'.repeat(16) } as const
        const said = (reduced: number): string =>
          JSON.stringify(describeSummary({ ...summarised, reduced }, groups, 'http://c.test'))
        expect(said(1)).not.toContain(secret)
        expect(said(0)).toContain(secret)
      }),
    )
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
