// ntfy: JSON to the server, which takes the topic from it. Its texts are plain, as `markdown` is not set; apps still find
// links in them.
import { cut, factsOf, fitFacts, oneLine } from '../message/facts.ts'
import { linkOf } from '../message/link.ts'
import { defanged } from './defanged.ts'
import type { Format } from './format.ts'

/** A message has 4,096 bytes; what is longer becomes a file. */
const ROOM = { facts: 40, label: 60, value: 300, bytes: 2_800 }
const TOPIC = /^[-\w]{1,64}$/

const split = (url: URL): { readonly server: string; readonly topic: string } => {
  const [, server = '', topic = ''] = /^(.*\/)([^/]*)\/?$/.exec(url.pathname) ?? []
  return { server, topic }
}

export const ntfy: Format = {
  service: 'ntfy',
  own: /^ntfy\.sh\//,
  refusal: (url) =>
    TOPIC.test(split(url).topic) ? undefined : 'must end in the topic, such as https://ntfy.sh/our-alerts',
  at(url) {
    url.pathname = split(url).server
    return url.href
  },
  body(message, url) {
    const link = linkOf(message)
    return {
      topic: split(url).topic,
      title: defanged(oneLine(cut(message.description, 150))) || 'Alert',
      message: [
        defanged(oneLine(cut(message.intro, 250))),
        ...fitFacts(
          factsOf(message).map(([label, value]) => [defanged(oneLine(label)), defanged(oneLine(value))]),
          ROOM,
        ).map(([label, value]) => `${label}: ${value}`),
      ].join('\n'),
      ...(message.subject === 'incident' && { priority: 4 }),
      ...(link && { click: link.url }),
    }
  },
}
