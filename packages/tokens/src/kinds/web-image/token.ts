// A URL that shows an uploaded picture. Any request for it fires.
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url }) => ({ url, html: `<img src="${url}" alt="">` }),
  on: {
    http: {
      describe: requestFields,
      answer: (_visit, { web_image }) => ({
        status: 200,
        headers: {
          'Content-Type': web_image.contentType,
          'Cache-Control': 'no-store, max-age=0',
          'X-Content-Type-Options': 'nosniff',
          'X-Robots-Tag': 'noindex',
        },
        body: web_image,
      }),
    },
  },
})
