// HTTP: any request whose URL or host carries a token id.
import { printableText, printableTexts } from '@rookery/kernel/sanitize.ts'
import { channel } from '../../channel.ts'
import { blank } from './blank.ts'
import type { HttpAnswer, HttpVisit } from './visit.ts'

export default channel<HttpVisit, HttpAnswer>({
  name: 'http',
  visitMs: 10_000,
  visitor: ({ srcHost, headers }) => `${srcHost}|${headers['User-Agent'] ?? ''}`,
  eventName: () => '',
  sanitize: (visit) => ({
    ...visit,
    method: printableText(visit.method),
    path: printableText(visit.path),
    srcHost: printableText(visit.srcHost),
    headers: printableTexts(visit.headers),
  }),
  blank: ({ headers }) => blank(headers['Accept']),
})
