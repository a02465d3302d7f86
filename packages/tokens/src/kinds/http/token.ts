// A URL that nobody has a reason to open. Any request that carries the id fires.
import { pixel } from '../../pixel.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

const page = {
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store, max-age=0',
    'X-Robots-Tag': 'noindex',
  },
  body: '<!DOCTYPE html>\n<html><head><title></title></head><body></body></html>\n',
}

const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false

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
    browser_scanner_enabled === true && wantsPage(visit.headers['Accept']) ? page : pixel,
})
