// A rule of CSS. A browser that shows it on a foreign site fires.
import { cssFields, judgeReferer, siteDetail } from '../../channels/http/css-clone.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { variedCss } from './varied-css.ts'

export default token(descriptor, {
  creationWarning: ({ expected_referrer }) =>
    expected_referrer === undefined
      ? 'Every site that shows the CSS fires, your own among them: set expected_referrer to its domain.'
      : undefined,
  renders: ({ url, tokenId }) => ({ css: variedCss(url, tokenId) }),
  on: {
    http: {
      visitorDetail: siteDetail,
      judge: (visit, { expected_referrer }) =>
        judgeReferer(visit, expected_referrer === undefined ? [] : [expected_referrer]),
      describe: (visit, { expected_referrer }) => cssFields(visit, expected_referrer),
    },
  },
})
