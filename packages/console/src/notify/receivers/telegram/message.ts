// An alert as a text of Telegram's HTML. All that came from outside stands in `code` and `pre`, in which no name, link,
// hashtag or command is found.
import { cut, factsOf, fitFacts, oneLine } from '../../message/facts.ts'
import { withoutPasswords } from '../../message/fields.ts'
import { escaped } from '../../message/letter.ts'
import { linkOf } from '../../message/link.ts'
import type { Message } from '../../message/message.ts'

/** A text has 4,096 characters once its tags and entities are read. A line takes fewer than its fact takes bytes as JSON. */
const ROOM = { facts: 40, label: 60, value: 500, bytes: 3_000 }

export function telegramText(message: Message): string {
  const code = (text: string, most: number): string =>
    `<code>${escaped(oneLine(cut(text, most))) || '-'}</code>`
  const lines = fitFacts(factsOf(withoutPasswords(message)), ROOM).map(([label, value]) =>
    oneLine(`${label}: ${value}`),
  )
  const link = linkOf(message)
  return [
    code(message.description, 200),
    code(message.intro, 500),
    ...(lines.length > 0 ? [`<pre>${escaped(lines.join('\n'))}</pre>`] : []),
    ...(link ? [`<a href="${escaped(link.url)}">${link.title}</a>`] : []),
  ].join('\n')
}
