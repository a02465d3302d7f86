// A URL that shows an uploaded picture. Any request for it fires.
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

/** An SVG may hold scripts and load other files: opened by its address, it does neither. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

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
          'Content-Security-Policy': PICTURE_POLICY,
          'X-Robots-Tag': 'noindex',
        },
        body: web_image,
      }),
    },
  },
})
