// Chat service: Block Kit by an incoming webhook. Three characters carry all of its mark-up (`<!channel>`, links, quotes)
// and are escaped; what came from outside stands in code spans, in which no other formatting is read.
import { factsOf, fitting, quoted } from '../message/facts.ts'
import type { Fact, Message } from '../message/message.ts'
import { judge, postJson } from './http.ts'
import type { Sender, Sending } from './sender.ts'

export const openChatopsSender =
  (sending: Sending): Sender =>
  async ({ url }, message) => {
    const answer = await postJson(sending, { url, headers: {}, body: JSON.stringify(blockMessage(message)) })
    // Its errors are single words, such as `channel_is_archived`.
    const said = /^[a-z_]{1,60}$/.test(answer.body) ? quoted(answer.body) : ''
    return judge(answer, sending.world.clock.now(), said)
  }

/** A section takes 3,000 characters, a message 50 blocks; escaping makes five of one. */
const ROOM = { facts: 40, label: 60, value: 500, bytes: 32_000 }
const SECTION = 2_900

export const blockMessage = (message: Message): object => ({
  // What a notification shows.
  text: within(`${message.description}: ${message.intro}`, 2_000),
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
  blocks: [
    { type: 'header', text: plain(message.description, 150) },
    { type: 'section', text: plain(message.intro, SECTION) },
    ...sections(fitting(factsOf(message), ROOM)).map((text) => ({ type: 'section', text: marked(text) })),
    {
      type: 'context',
      elements: [marked(`<${escaped(new URL(message.consoleUrl).href)}|Open the console>`)],
    },
  ],
})

const plain = (text: string, most: number): object => ({
  type: 'plain_text',
  text: within(text, most) || '-',
  emoji: false,
})
const marked = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true })

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Escaped, and cut where it would take more than `most` characters; never inside an escape. */
function within(text: string, most: number): string {
  let out = ''
  for (const character of text) {
    const next = escaped(character)
    if (out.length + next.length >= most) return `${out}…`
    out += next
  }
  return out
}

/** As few sections as hold all lines. */
function sections(facts: readonly Fact[]): string[] {
  const texts: string[] = []
  for (const [label, value] of facts) {
    const line = `${code(label)} ${code(value)}`
    const last = texts.at(-1)
    if (last !== undefined && last.length + line.length < SECTION)
      texts[texts.length - 1] = `${last}\n${line}`
    else texts.push(line)
  }
  return texts
}

/** A code span ends at a backtick and at the end of its line. */
const code = (text: string): string =>
  `\`${escaped(text)
    .replace(/`/g, '\u02cb')
    .replace(/\s*\n\s*/g, ' ⏎ ')}\``
