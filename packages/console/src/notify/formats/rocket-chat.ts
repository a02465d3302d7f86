// Rocket.Chat: Markdown by an incoming integration.
import { codeHead, codeLines, consoleLink, withoutNames } from './code-lines.ts'
import type { Format } from './format.ts'

/** A message has 5,000 characters, unless its server is set otherwise. */
const BYTES = 3_800

export const rocketChat: Format = {
  service: 'Rocket.Chat',
  // Of any host: the id of an integration, then its token.
  likely: /^[^/]+\/(.+\/)?hooks\/([A-Za-z0-9]{17}|[0-9a-f]{24})\/[A-Za-z0-9]{40,}$/,
  body: (message) => ({
    text: withoutNames(`${codeHead(message)}\n${codeLines(message, BYTES)}`) + consoleLink(message),
    // No preview of a link, and no visit to it.
    parseUrls: false,
  }),
}
