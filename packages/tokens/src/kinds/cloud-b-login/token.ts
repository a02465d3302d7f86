// A rule of CSS for the branding of a tenant. A browser that shows it on a foreign site fires.
import { backgroundCss, cssFields, judgeReferer, siteDetail } from '../../channels/http/css-clone.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

/** Sites of Microsoft that show a tenant's branding besides the expected one. */
const GOOD_DOMAINS = [
  'login.microsoftonline.us',
  'login.microsoft.com',
  'login.windows.net',
  'autologon.microsoftazuread-sso.com',
  'aadcdn.msauthimages.net',
  'aadcdn.msftauthimages.net',
  'office.com',
]

export default token(descriptor, {
  needsProvider: ({ cloud_b_install }) => cloud_b_install,
  renders: ({ url }) => ({ css: backgroundCss(url) }),
  on: {
    http: {
      visitorDetail: siteDetail,
      judge: (visit, { expected_referrer }) => judgeReferer(visit, [expected_referrer, ...GOOD_DOMAINS]),
      describe: (visit, { expected_referrer }) => cssFields(visit, expected_referrer),
    },
  },
})
