// An alert as `m.room.message`: a notice, so that no bot answers it, in the HTML of the specification and as plain text.
import { defanged } from '../../formats/defanged.ts'
import { cut, factsOf, fitFacts, oneLine } from '../../message/facts.ts'
import { withoutPasswords } from '../../message/fields.ts'
import { escaped } from '../../message/letter.ts'
import { linkOf } from '../../message/link.ts'
import type { Message } from '../../message/message.ts'

/** An event has 65,536 bytes with what the server adds, and holds each fact twice; a mark takes at most six as an entity. */
const ROOM = { facts: 60, label: 60, value: 500, bytes: 6_000 }

export function matrixContent(message: Message): object {
  const head = [cut(message.description, 200), cut(message.intro, 500)].map(oneLine)
  const facts = fitFacts(factsOf(withoutPasswords(message)), ROOM).map((fact) => fact.map(oneLine))
  const link = linkOf(message)
  const code = (text: string): string => `<code>${escaped(text) || '-'}</code>`
  return {
    msgtype: 'm.notice',
    // Nobody is mentioned, whatever the text says.
    'm.mentions': {},
    body: [...head, ...facts.map((fact) => fact.join(': '))]
      .map(inert)
      .concat(link ? [`${link.title}: ${link.url}`] : [])
      .join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: [
      ...head.map(code),
      ...facts.map((fact) => fact.map(code).join(' ')),
      ...(link ? [`<a href="${escaped(link.url)}">${link.title}</a>`] : []),
    ].join('<br/>'),
  }
}

/** Clients that show the plain text find links, and `@room` by the rules before `m.mentions`. */
const inert = (text: string): string => defanged(text).replace(/@/g, '\uff20')
