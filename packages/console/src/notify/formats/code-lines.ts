// A message as lines of code spans, for services that read Markdown: in a code span nothing is formatted, linked or
// mentioned. Pure.
import { cut, factsOf, fitFacts, oneLine } from '../message/facts.ts'
import { linkOf } from '../message/link.ts'
import type { Message } from '../message/message.ts'

/** A line takes fewer characters than its fact takes bytes as JSON: `bytes` bounds the lines, too. */
export const codeLines = (message: Message, bytes: number): string =>
  fitFacts(factsOf(message), { facts: 40, label: 60, value: 500, bytes })
    .map(([label, value]) => `${code(label)} ${code(value)}`)
    .join('\n')

/** What happened, and the same in a sentence, in at most 704 characters. */
export const codeHead = ({ description, intro }: Message): string =>
  `${code(cut(description, 200))}\n${code(cut(intro, 500))}`

/** A code span ends at a backtick and at the end of its line; some services read `<…>` before they read code. */
const code = (text: string): string =>
  `\`${oneLine(text).replace(/`/g, '\u02cb').replace(/</g, '\u2039').replace(/>/g, '\u203a') || '-'}\``

/** The same text, in which no `@name` and no `#channel` is found, not even by a service that looks into code. */
export const withoutNames = (text: string): string => text.replace(/@/g, '\uff20').replace(/#/g, '\uff03')

/** A link to the incident or the console in Markdown, or nothing. */
export function consoleLink(message: Message): string {
  const link = linkOf(message)
  if (!link) return ''
  const href = new URL(link.url).href.replace(/[()]/g, (it) => (it === '(' ? '%28' : '%29'))
  return `\n[${link.title}](${href})`
}
