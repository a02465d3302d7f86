// Tokens of CSS: a background picture, for which a browser names the page's site in its Referer header.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { VisitDetail } from '../../channel.ts'
import type { Verdict } from '../../token.ts'
import { isWithin, refererHost } from './referer.ts'
import { requestDetail } from './request-detail.ts'
import type { HttpVisit } from './visit.ts'

/** Quiet without a Referer: it says nothing of the site. On a good site nothing happened. */
export function judgeReferer({ headers }: HttpVisit, goodDomains: readonly string[]): Verdict {
  const host = refererHost(headers['Referer'])
  if (host === undefined) return 'quiet'
  return goodDomains.some((domain) => isWithin(host, domain)) ? 'nothing' : 'fire'
}

/** Another page with the rule is another visit. */
export const siteDetail = (visit: HttpVisit): VisitDetail => [
  `${visit.headers['Referer'] ?? ''} ${requestDetail(visit).join('')}`,
]

export const cssFields = ({ headers, ja4 }: HttpVisit, expected: string | undefined): EventFields => ({
  referer: headers['Referer'] ?? '',
  referer_host: refererHost(headers['Referer']) ?? '',
  useragent: headers['User-Agent'] ?? '',
  ...(expected !== undefined && { expected_referrer: expected }),
  ...(ja4 !== undefined && { ja4 }),
})

/** One rule, to be added to a style sheet. */
export const backgroundCss = (url: string): string =>
  `body{background:url('${url.replace(/['"()\\\s]/g, encodeURIComponent)}')!important}`
