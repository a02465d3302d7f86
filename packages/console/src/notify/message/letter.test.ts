// What came from outside stays text in letters, in every kind of message.
import { describe, expect, it } from 'vitest'
import { forEachHostileMessage, hostileMessages } from '../../../test/hostile-messages.ts'
import type { Message } from './message.ts'
import { letterOf } from './letter.ts'

const CONSOLE_URL = 'https://rookery.example.com/?a=1&b="2"'
const PIECES = ['<', '>', '&', '"', "'", '\n', '\r\n', '\u2028', '\u0085', 'EVIL: 1', '</td>', '<a href=x>']

const everywhere = (check: (message: Message) => void, named?: string): void =>
  forEachHostileMessage(check, { consoleUrl: CONSOLE_URL, pieces: PIECES, ...(named && { named }) })

const OURS =
  /<!doctype html>|<\/?(html|head|title|body|h1|h2|p|table|tr|td)( lang="en"| style="[-\w:;,# ]*")?>|<meta charset="utf-8">|<a href="https:\/\/rookery\.example\.com\/(\?a=1&amp;b=&quot;2&quot;|incidents\/[0-9a-f]{32})">|<\/a>/g

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
    for (const message of hostileMessages('<\ud83d\ude00&>'.repeat(20_000), CONSOLE_URL, { flocks: 60 })) {
      const { text, html } = letterOf(message)
      expect(text.length + html.length).toBeLessThan(500_000)
    }
  })
})
