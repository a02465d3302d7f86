// An app of SAML 2.0 on the page of an identity provider. An assertion that a browser posts fires.
import type { HttpVisit } from '../../channels/http/visit.ts'
import { blank } from '../../channels/http/blank.ts'
import { judgeAssertion, type JudgedAssertion } from '../../saml/judge-assertion.ts'
import { assertionRulesOf } from '../../saml/metadata.ts'
import { serviceMetadata } from '../../saml/service-metadata.ts'
import { token, type Verdict } from '../../token.ts'
import { APPS } from './apps.data.ts'
import { descriptor } from './descriptor.ts'
import { noAccessPage } from './no-access-page.ts'

/** A visit is judged once, though it is asked for several times. */
const judged = new WeakMap<HttpVisit, JudgedAssertion>()

function judgedOnce(visit: HttpVisit, settings: object, at: number): JudgedAssertion {
  const known = judged.get(visit)
  if (known) return known
  const found = judgeAssertion(visit, assertionRulesOf({ ...settings }), at)
  judged.set(visit, found)
  return found
}

export default token(descriptor, {
  renders: (address, { idp_app_type }) => ({
    app_name: APPS[idp_app_type],
    entity_id: address.url,
    acs_url: address.url,
    metadata: serviceMetadata(address),
  }),
  on: {
    http: {
      judge(visit, settings, at): Verdict {
        const { posted, isProven, isForOther } = judgedOnce(visit, settings, at)
        if (posted === 'none') return 'quiet'
        // Strangers could have kept it from being read: it must not be missed.
        if (posted === 'unread') return 'fire'
        if (isForOther) return 'fire'
        return isProven || !assertionRulesOf({ ...settings }).isValidated ? 'fire' : 'quiet'
      },
      describe(visit, settings, at) {
        const { posted, assertion, problem, isProven } = judgedOnce(visit, settings, at)
        return {
          useragent: visit.headers['User-Agent'] ?? '',
          ...(posted !== 'none' && {
            identity: assertion?.identity ?? '',
            issuer: assertion?.issuer ?? '',
            attributes: assertion?.attributes ?? {},
            validated: isProven,
            ...(problem !== undefined && { validation_error: problem }),
          }),
        }
      },
      // An id that is not proven proves no replay.
      invocation(visit, settings, at) {
        const { assertion, isProven } = judgedOnce(visit, settings, at)
        return isProven ? assertion?.id : undefined
      },
      // Posted by one browser, another assertion is another use; the same body is the same one sent again.
      visitorDetail: ({ body = '' }) => (body === '' ? [] : [body]),
      answer: (visit, { idp_app_type }) =>
        visit.method === 'POST' ? noAccessPage(APPS[idp_app_type]) : blank(visit.headers['Accept']),
    },
  },
})
