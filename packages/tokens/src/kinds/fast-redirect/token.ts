// A URL that leads on at once. Any request for it fires.
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url }) => ({ url }),
  on: {
    http: {
      describe: requestFields,
      answer: (_visit, { browser_redirect_url }) => ({
        status: 302,
        headers: {
          Location: new URL(browser_redirect_url).href,
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store, max-age=0',
          'X-Robots-Tag': 'noindex',
        },
        body: '',
      }),
    },
  },
})
