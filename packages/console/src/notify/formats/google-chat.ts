// Google Chat: a card. Texts of cards know a few tags of HTML and no mentions; plain messages would read `<users/all>`.
import { cut, factsOf, fitFacts } from '../message/facts.ts'
import { linkOf, type Link } from '../message/link.ts'
import { defanged } from './defanged.ts'
import type { Format } from './format.ts'

/** A message has 32,000 bytes, a card 100 widgets; escaping makes five characters of one. */
const ROOM = { facts: 40, label: 60, value: 500, bytes: 4_000 }

export const googleChat: Format = {
  service: 'Google Chat',
  own: /^chat\.googleapis\.com\/v1\/spaces\//,
  body: (message) => ({
    cardsV2: [
      {
        cardId: 'alert',
        card: {
          header: { title: escaped(cut(message.description, 200)) },
          sections: [
            {
              widgets: [
                paragraph(escaped(cut(message.intro, 500))),
                ...fitFacts(factsOf(message), ROOM).map(([label, value]) =>
                  paragraph(`<b>${escaped(label)}</b> ${escaped(value)}`),
                ),
                ...[linkOf(message)].flatMap((link) => (link ? [button(link)] : [])),
              ],
            },
          ],
        },
      },
    ],
  }),
}

const paragraph = (text: string): object => ({ textParagraph: { text } })

const button = ({ title, url }: Link): object => ({
  buttonList: { buttons: [{ text: title, onClick: { openLink: { url } } }] },
})

const escaped = (text: string): string =>
  defanged(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
