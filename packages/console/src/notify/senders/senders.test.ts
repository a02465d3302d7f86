// What came from outside stays text on every target, in every kind of message.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOSTILE, queuedRow, texts } from '../../../test/hostile.ts'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import type { ReceiverKind } from '../../stores/webhooks/tables.ts'
import { systemClock, systemRandom } from '../../world/system.ts'
import { describeIncident, describeReduced, describeTest } from '../message/incident.ts'
import type { Message } from '../message/message.ts'
import { describeNotice, describeSummary } from '../message/summary.ts'
import { blockMessage } from './chatops.ts'
import { openSenders } from './senders.ts'
import { cardMessage } from './teamchat.ts'

const URL_OF_CONSOLE = 'https://rookery.example.com/'

/** The same hostile text in every place of every kind of message. */
function messages(text: string): readonly Message[] {
  const row = queuedRow(text, JSON.stringify({ [text]: text, LIST: [text], PASSWORD: text }))
  const group = { summary: text, name: text, incidents: 2, events: 3, firstAt: 0, lastAt: 1 }
  const ended = JSON.stringify({ webhookId: 'a', host: text, reason: text })
  return [
    describeIncident(row, URL_OF_CONSOLE),
    describeIncident({ ...row, memo: null }, URL_OF_CONSOLE),
    describeReduced(row, URL_OF_CONSOLE),
    describeTest({ id: 'flock:default', name: text }, 0, URL_OF_CONSOLE),
    describeSummary({ ...row, subject: 'digest' }, Array(60).fill(group), URL_OF_CONSOLE),
    describeSummary({ ...row, subject: 'backlog', payload: 'b'.repeat(16) }, [group], URL_OF_CONSOLE),
    describeSummary({ ...row, subject: 'digest', reduced: 1 }, [group], URL_OF_CONSOLE),
    describeNotice({ ...row, subject: 'notice', payload: ended }, URL_OF_CONSOLE),
  ]
}

function everywhere(check: (message: Message) => void): void {
  for (const text of HOSTILE) messages(text).forEach(check)
  const piece = fc.constantFrom(
    '<',
    '>',
    '&',
    '`',
    '*',
    '_',
    '~',
    '\n',
    '{{',
    '${',
    '!',
    '@here',
    '|',
    '[',
    ']',
    ')',
  )
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 30 })
  fc.assert(
    fc.property(text, (pieces) => messages(pieces.join('')).forEach(check)),
    { numRuns: 60 },
  )
}

const ACTING = /[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069\u061c]/u
const noneActs = (sent: object): void => {
  for (const text of texts(sent)) expect(text.replace(/[\t\n]/g, '')).not.toMatch(ACTING)
}

interface Element {
  readonly type: string
  readonly text?: string
  readonly inlines?: readonly Element[]
  readonly url?: string
}

describe('a card', () => {
  it('holds outside text in plain runs alone, and is small enough to be taken', () => {
    everywhere((message) => {
      const card = cardMessage(message)
      const [{ content } = { content: { body: [], actions: [] } }] = (
        card as { attachments: { content: { body: Element[]; actions: Element[] } }[] }
      ).attachments
      for (const { type, inlines } of content.body) {
        expect(type).toBe('RichTextBlock')
        for (const run of inlines ?? []) {
          expect(run.type).toBe('TextRun')
          expect(run.text).not.toMatch(/\{\{|\$\{/)
        }
      }
      expect(content.actions.map(({ url }) => url)).toEqual([URL_OF_CONSOLE])
      expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000)
      noneActs(card)
    })
  })
})

interface Block {
  readonly type: string
  readonly text?: { readonly type: string; readonly text: string; readonly verbatim?: boolean }
  readonly elements?: readonly { readonly text: string }[]
}

describe('a message of blocks', () => {
  it('mentions nobody, links to the console alone, and keeps the service’s bounds', () => {
    const LINK = `<${URL_OF_CONSOLE}|Open the console>`
    everywhere((message) => {
      const sent = blockMessage(message) as { readonly text: string; readonly blocks: readonly Block[] }
      expect(sent.blocks.length).toBeLessThanOrEqual(50)
      expect(sent.text).not.toMatch(/[<>]/)
      for (const { type, text, elements } of sent.blocks) {
        if (elements) {
          expect(elements.map((element) => element.text)).toEqual([LINK])
          continue
        }
        expect(text?.text.length).toBeGreaterThan(0)
        expect(text?.text.length).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000)
        expect(text?.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
        if (text?.type !== 'mrkdwn') continue
        expect(text.verbatim).toBe(true)
        // Nothing but code spans, a pair on each line.
        for (const line of text.text.split('\n')) expect(line).toMatch(/^`[^`]*` `[^`]+`$/)
      }
      noneActs(sent)
    })
  })
})

describe('every sender', () => {
  it('sends one whole JSON text of each kind of message, and judges the answer', async () => {
    const sent: OutboundRequest[] = []
    const outbound = {
      send: (request: OutboundRequest) => {
        sent.push(request)
        return Promise.resolve({ status: 200, headers: {}, body: '' })
      },
    }
    const send = openSenders({
      world: { clock: systemClock, random: systemRandom, outbound },
      timeoutMs: 100,
      smsUrl: '',
    })
    const kinds: readonly ReceiverKind[] = ['generic', 'teamchat', 'chatops', 'siem']
    for (const text of HOSTILE) {
      for (const message of messages(text)) {
        for (const kind of kinds) {
          const target = { kind, webhookId: 'a', url: 'https://x.test', headers: {}, secret: 'whsec_AAAA' }
          expect(await send(target, message, 'msg_1')).toMatchObject({ passed: true, status: 200 })
          const { body = '' } = sent.at(-1) ?? {}
          expect(body).not.toMatch(/[\n\r\u2028\u2029]/)
          expect(JSON.stringify(JSON.parse(body))).toBe(body)
          expect(body.isWellFormed()).toBe(true)
        }
      }
    }
  })
})
