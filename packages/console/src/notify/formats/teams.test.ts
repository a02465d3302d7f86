import { describe, expect, it } from 'vitest'
import { texts } from '../../../test/hostile.ts'
import { ACTING, forEachHostileMessage } from '../../../test/hostile-messages.ts'
import { cardMessage } from './teams.ts'

const CONSOLE_URL = 'https://rookery.example.com/'
const PIECES = ['<', '>', '&', '`', '*', '_', '~', '\n', '{{', '${', '!', '@here', '|', '[', ']', ')']

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
    forEachHostileMessage(
      (message) => {
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
        expect(content.actions.map(({ url }) => url)).toEqual([
          'incident' in message && message.incident.hash !== ''
            ? `${CONSOLE_URL}incidents/${message.incident.hash}`
            : CONSOLE_URL,
        ])
        expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000)
        noneActs(card)
      },
      { consoleUrl: CONSOLE_URL, pieces: PIECES },
    )
  })
})
