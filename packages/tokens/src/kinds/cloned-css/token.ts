// A rule of CSS. A browser that shows it on a foreign site fires.
import { backgroundCss, cssFields, judgeReferer } from '../../channels/http/css-clone.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url }) => ({ css: backgroundCss(url) }),
  on: {
    http: {
      judge: (visit, { expected_referrer }) =>
        judgeReferer(visit, expected_referrer === undefined ? [] : [expected_referrer]),
      describe: (visit, { expected_referrer }) => cssFields(visit, expected_referrer),
    },
  },
})
