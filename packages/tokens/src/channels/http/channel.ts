// HTTP: any request whose URL or host carries a token id.
import { printableText, printableTexts } from '@rookery/kernel/sanitize.ts'
import { channel } from '../../channel.ts'
import { blank } from './blank.ts'
import { requestDetail } from './request-detail.ts'
import type { HttpAnswer, HttpVisit } from './visit.ts'

/** About what an event of a log takes in a body. */
const CHARACTERS_OF_A_REPORT = 1_024

export default channel<HttpVisit, HttpAnswer>({
  name: 'http',
  visitMs: 10_000,
  visitor: ({ srcHost, headers }) => `${srcHost}|${headers['User-Agent'] ?? ''}`,
  visitorDetail: requestDetail,
  userAgent: ({ headers }) => headers['User-Agent'],
  eventName: () => '',
  weigh: ({ body = '' }) => 1 + Math.floor(body.length / CHARACTERS_OF_A_REPORT),
  sanitize: (visit) => ({
    ...withoutBody(visit),
    method: printableText(visit.method),
    path: printableText(visit.path),
    srcHost: printableText(visit.srcHost),
    headers: printableTexts(visit.headers),
  }),
  shorten: withoutBody,
  blank: ({ headers }) => blank(headers['Accept']),
})

function withoutBody({ body, ...visit }: HttpVisit): HttpVisit {
  return body === undefined ? visit : { ...visit, isBodyCut: true }
}
