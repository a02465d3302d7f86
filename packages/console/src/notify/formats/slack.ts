// Chat service: Block Kit by an incoming webhook. Three characters carry all of its mark-up (`<!channel>`, links, quotes)
// and are escaped; the intruder's text stands in code spans, in which no other formatting is read.
import { factsOf, fitFacts } from '../message/facts.ts'
import { linkOf, type Link } from '../message/link.ts'
import type { Fact, Message } from '../message/message.ts'
import type { Format } from './format.ts'

/** A section takes 3,000 characters, a message 50 blocks; escaping makes five of one. */
const ROOM = { facts: 40, label: 60, value: 500, bytes: 32_000 }
const SECTION = 2_900

export const slack: Format = {
  service: 'Slack',
  own: /^hooks\.slack(-gov)?\.com\//,
  body: (message) => blockMessage(message),
}

export const blockMessage = (message: Message): object => ({
  // What a notification shows.
  text: within(`${message.description}: ${message.intro}`, 2_000),
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
  blocks: [
    { type: 'header', text: plainText(message.description, 150) },
    { type: 'section', text: plainText(message.intro, SECTION) },
    ...sections(fitFacts(factsOf(message), ROOM)).map((text) => ({ type: 'section', text: markdown(text) })),
    ...[linkOf(message)].flatMap((link) => (link ? [linkBlock(link)] : [])),
  ],
})

const linkBlock = ({ title, url }: Link): object => ({
  type: 'context',
  elements: [markdown(`<${escaped(new URL(url).href)}|${title}>`)],
})

const plainText = (text: string, maxLength: number): object => ({
  type: 'plain_text',
  text: within(text, maxLength) || '-',
  emoji: false,
})
const markdown = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true })

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Escaped, and cut where it would take more than `maxLength` characters; never inside an escape. */
function within(text: string, maxLength: number): string {
  let out = ''
  for (const character of text) {
    const next = escaped(character)
    if (out.length + next.length >= maxLength) return `${out}…`
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
