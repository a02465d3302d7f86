import { describe, expect, it } from 'vitest'
import { texts } from '../../../test/hostile.ts'
import { ACTING, forEachHostileMessage } from '../../../test/hostile-messages.ts'
import { blockMessage } from './slack.ts'

const CONSOLE_URL = 'https://rookery.example.com/'
const PIECES = ['<', '>', '&', '`', '*', '_', '~', '\n', '{{', '${', '!', '@here', '|', '[', ']', ')']

const noneActs = (sent: object): void => {
  for (const text of texts(sent)) expect(text.replace(/[\t\n]/g, '')).not.toMatch(ACTING)
}

interface Block {
  readonly type: string
  readonly text?: { readonly type: string; readonly text: string; readonly verbatim?: boolean }
  readonly elements?: readonly { readonly text: string }[]
}

describe('a message of blocks', () => {
  it('mentions nobody, links to the console alone, and keeps the service’s bounds', () => {
    forEachHostileMessage(
      (message) => {
        const sent = blockMessage(message) as { readonly text: string; readonly blocks: readonly Block[] }
        expect(sent.blocks.length).toBeLessThanOrEqual(50)
        expect(sent.text).not.toMatch(/[<>]/)
        for (const { type, text, elements } of sent.blocks) {
          if (elements) {
            expect(elements.map((element) => element.text)).toEqual([
              'incident' in message && message.incident.hash !== ''
                ? `<${CONSOLE_URL}incidents/${message.incident.hash}|Open the incident>`
                : `<${CONSOLE_URL}|Open the console>`,
            ])
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
      },
      { consoleUrl: CONSOLE_URL, pieces: PIECES },
    )
  })
})
