// An alert as the fields of an issue. Its description is a document of Atlassian's format, in which a text is text.
import { cut, factsOf, fitFacts, oneLine } from '../../message/facts.ts'
import { withoutPasswords } from '../../message/fields.ts'
import { linkOf } from '../../message/link.ts'
import type { Message } from '../../message/message.ts'

/** A summary has less than 255 characters, a description 32,767. */
const SUMMARY = 250
const ROOM = { facts: 100, label: 80, value: 1_000, bytes: 20_000 }

export function issueFields(message: Message): object {
  const lines = fitFacts(factsOf(withoutPasswords(message)), ROOM).map(([label, value]) =>
    oneLine(`${label}: ${value}`),
  )
  const link = linkOf(message)
  return {
    summary: oneLine(cut(message.description, SUMMARY)) || 'An alert',
    description: document([
      ...paragraph(oneLine(cut(message.intro, 2_000))),
      // Of lines alone: in a block of code no link and no name is found, also when somebody edits it.
      ...(lines.length > 0 ? [{ type: 'codeBlock', content: textNodes(lines.join('\n')) }] : []),
      ...(link ? paragraph(link.title, [{ type: 'link', attrs: { href: link.url } }]) : []),
    ]),
  }
}

export const comment = (text: string): object => ({ body: document(paragraph(text)) })

const document = (content: readonly object[]): object => ({ type: 'doc', version: 1, content })

const paragraph = (text: string, marks?: readonly object[]): readonly object[] =>
  text === '' ? [] : [{ type: 'paragraph', content: textNodes(text, marks) }]

const textNodes = (text: string, marks?: readonly object[]): readonly object[] => [
  { type: 'text', text, ...(marks && { marks }) },
]
