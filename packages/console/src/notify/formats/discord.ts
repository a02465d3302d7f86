// Discord: an embed, by "Execute Webhook" of its developers' documentation. `wait=true`: without it a message that is not
// kept is answered as if it were.
import { linkOf } from '../message/link.ts'
import type { Format } from './format.ts'
import { codeHead, codeLines } from './code-lines.ts'

/** The content has 2,000 characters, the description of an embed 4,096. */
const BYTES = 3_800

export const discord: Format = {
  service: 'Discord',
  own: /^((ptb|canary)\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\//,
  refusal: ({ pathname }) =>
    /\/(slack|github)\/?$/.test(pathname)
      ? 'ends in /slack or /github, where Discord takes the messages of another service; leave that out'
      : undefined,
  at(url) {
    url.searchParams.set('wait', 'true')
    return url.href
  },
  body: (message) => ({
    content: codeHead(message),
    allowed_mentions: { parse: [] },
    embeds: [
      {
        description: codeLines(message, BYTES),
        ...linkOf(message),
      },
    ],
  }),
}
