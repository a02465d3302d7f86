// Mattermost: Markdown by an incoming webhook.
import { codeHead, codeLines, consoleLink, withoutNames } from './code-lines.ts'
import type { Format } from './format.ts'

/** A post has 16,383 characters; what is longer is split into several. */
const BYTES = 12_000

export const mattermost: Format = {
  service: 'Mattermost',
  // Of any host: the ids of incoming webhooks have 26 characters.
  own: /^[^/]+\/(.+\/)?hooks\/[a-z0-9]{26}$/,
  body: (message) => ({
    text: withoutNames(`${codeHead(message)}\n${codeLines(message, BYTES)}`) + consoleLink(message),
  }),
}
