// A message as a letter. Attacker text is text in both forms: escaped in the HTML, indented in the plain one, so that no
// line of it looks like one of ours; the subject holds only what the console itself names.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Letter } from '@rookery/kernel/world.ts'
import { cut, factsOf, fitFacts, oneLine } from './facts.ts'
import { linkOf, type Link } from './link.ts'
import type { Fact, Message } from './message.ts'

const ROOM = { facts: 100, label: 100, value: 2_000, bytes: 60_000 }
const SUBJECT = 150

interface Section {
  readonly title: string
  readonly facts: readonly Fact[]
}

interface Content {
  readonly description: string
  readonly intro: string
  readonly sections: readonly Section[]
  readonly link: Link | undefined
}

export function letterOf(message: Message): Pick<Letter, 'subject' | 'text' | 'html'> {
  const sections: readonly Section[] =
    message.subject === 'weekly' ? message.sections : [{ title: '', facts: factsOf(message) }]
  const content: Content = {
    description: oneLine(cut(message.description, 200)),
    intro: oneLine(cut(message.intro, 2_000)),
    sections: sections.map(({ title, facts }) => ({
      title: oneLine(cut(title, 150)),
      facts: fitFacts(facts, ROOM),
    })),
    link: linkOf(message),
  }
  return { subject: subjectOf(message), text: textOf(content), html: htmlOf(content) }
}

function subjectOf(message: Message): string {
  const where = 'node' in message ? (message.token?.memo ?? message.node.name) : ''
  const flock = message.flock.name === '' ? '' : ` (${message.flock.name})`
  return cut(
    oneLine(`[Rookery] ${message.description}${where === '' ? '' : `: ${cut(where, 60)}`}${flock}`),
    SUBJECT,
  )
}

const textOf = ({ description, intro, sections, link }: Content): string =>
  [
    description,
    intro,
    ...sections.map(({ title, facts }) =>
      [
        ...(title === '' ? [] : [title]),
        ...facts.map(([label, value]) => `${oneLine(label)}: ${value.replace(/\r?\n/g, '\n    ')}`),
      ].join('\n'),
    ),
    ...(link ? [`${link.title}: ${link.url}`] : []),
  ].join('\n\n') + '\n'

const FONT = 'font-family:-apple-system,Segoe UI,Helvetica,Arial,sans-serif;font-size:14px;color:#1b1f24'
const LABEL = 'padding:2px 16px 2px 0;vertical-align:top;color:#57606a;white-space:nowrap'
const VALUE = 'padding:2px 0;vertical-align:top;white-space:pre-wrap;word-break:break-word'

const htmlOf = ({ description, intro, sections, link }: Content): string =>
  [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(description)}</title></head>`,
    `<body style="margin:24px;${FONT}">`,
    `<h1 style="font-size:18px">${escaped(description)}</h1>`,
    `<p>${escaped(intro)}</p>`,
    ...sections.map(({ title, facts }) =>
      [
        title === '' ? '' : `<h2 style="font-size:15px">${escaped(title)}</h2>`,
        `<table style="border-collapse:collapse;${FONT}">`,
        ...facts.map(
          ([label, value]) =>
            `<tr><td style="${LABEL}">${escaped(label)}</td><td style="${VALUE}">${escaped(value)}</td></tr>`,
        ),
        '</table>',
      ].join('\n'),
    ),
    ...(link ? [`<p><a href="${escaped(link.url)}">${link.title}</a></p>`] : []),
    '</body></html>',
  ].join('\n') + '\n'

const ENTITIES = byWord<string>({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
})
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)
