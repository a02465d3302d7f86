// A URL that nobody has a reason to open. Any request that carries the id fires.
import { blank, pixel } from '../../blank.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  forge: ({ url }) => ({ renders: { url, html: `<img src="${url}" width="1" height="1" alt="">` } }),
  describe: (visit) => {
    const query = visit.path.split('?')[1]
    return {
      method: visit.method,
      useragent: visit.headers['User-Agent'] ?? '',
      referer: visit.headers['Referer'] ?? '',
      ...(query === undefined ? {} : { query }),
    }
  },
  answer: (visit, { browser_scanner_enabled }) =>
    browser_scanner_enabled === false ? pixel : blank(visit.headers['Accept']),
})
