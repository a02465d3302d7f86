// HTTP: any request whose URL or host carries a token id.
import { printableText, printableTexts } from '@rookery/kernel/sanitize.ts'
import { channel, type VisitBase } from '../../channel.ts'
import { blank } from './blank.ts'

export interface HttpVisit extends VisitBase {
  readonly channel: 'http'
  readonly method: string
  /** Path with its query, as sent. */
  readonly path: string
  /** Header name, title-cased as browsers write it, to its value. */
  readonly headers: Readonly<Record<string, string>>
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

export default channel<HttpVisit, HttpAnswer>({
  name: 'http',
  visitMs: 10_000,
  visitor: ({ headers }) => headers['User-Agent'] ?? '',
  sanitize: (visit) => ({
    ...visit,
    method: printableText(visit.method),
    path: printableText(visit.path),
    srcHost: printableText(visit.srcHost),
    headers: printableTexts(visit.headers),
  }),
  blank: ({ headers }) => blank(headers['Accept']),
})
