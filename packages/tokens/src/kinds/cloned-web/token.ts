// A script for your own pages. A browser that runs it on another site fires.
import { queryParameter } from '../../channels/http/request-fields.ts'
import { isIgnoredSite, prepareSiteIgnores } from '../../site-ignores/site-ignores.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { cloneScript } from './script.ts'

export default token(descriptor, {
  renders: ({ tokenId, url }, { cloned_web }) => {
    const script = cloneScript(tokenId, url, cloned_web)
    return { script, html: `<script>${script}</script>` }
  },
  prepare: prepareSiteIgnores,
  on: {
    http: {
      judge(visit, settings) {
        const location = queryParameter(visit, 'l')
        return location !== undefined && isIgnoredSite(settings, location) ? 'quiet' : 'fire'
      },
      describe: (visit) => ({
        location: queryParameter(visit, 'l') ?? '',
        referer: queryParameter(visit, 'r') ?? visit.headers['Referer'] ?? '',
        useragent: visit.headers['User-Agent'] ?? '',
      }),
    },
  },
})
