// Team chat: an Adaptive Card 1.4 in a message. What came from outside stands in TextRuns alone: they know no markdown,
// so that nothing in them becomes a link, a heading or a mention.
import { cut, factsOf, fitFacts } from '../message/facts.ts'
import { linkOf } from '../message/link.ts'
import type { Message } from '../message/message.ts'
import type { Format } from './format.ts'

/** A message may have 28 KB. */
const ROOM = { facts: 40, label: 80, value: 1_000, bytes: 16_000 }

export const teams: Format = {
  service: 'Microsoft Teams',
  own: /^([^/]+\.webhook\.office\.com\/webhookb2\/|outlook\.office(365)?\.com\/webhook\/)/,
  // Workflows that Teams makes; others have such URLs, too.
  likely: /^[^/]+\.(logic\.azure\.com\/workflows|api\.powerplatform\.com\/(.+\/)?workflows)\//,
  body: (message) => cardMessage(message),
}

export const cardMessage = (message: Message): object => ({
  type: 'message',
  // What a notification shows.
  summary: asText(cut(message.description, 120)),
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        msteams: { width: 'Full' },
        body: [
          block([run(cut(message.description, 200), { size: 'large', weight: 'bolder' })]),
          block([run(cut(message.intro, 1_000))]),
          ...fitFacts(factsOf(message), ROOM).map(([label, value]) =>
            block([run(`${label}: `, { weight: 'bolder' }), run(value)], { spacing: 'small' }),
          ),
        ],
        ...actions(message),
      },
    },
  ],
})

function actions(message: Message): object {
  const link = linkOf(message)
  return link ? { actions: [{ type: 'Action.OpenUrl', ...link }] } : {}
}

const block = (inlines: readonly object[], more: object = {}): object => ({
  type: 'RichTextBlock',
  inlines,
  ...more,
})

const run = (text: string, more: object = {}): object => ({ type: 'TextRun', text: asText(text), ...more })

/** Cards replace `{{DATE(…)}}` and `{{TIME(…)}}`, and templates `${…}`, wherever text stands. */
const asText = (text: string): string => text.replace(/\{(?=\{)/g, '{ ').replace(/\$(?=\{)/g, '$ ')
