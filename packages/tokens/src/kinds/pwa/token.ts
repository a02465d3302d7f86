// A page that can be installed as an app. It fires when it is opened as one.
import { factsOf } from '../../channels/http/browser-facts.ts'
import { pixel } from '../../channels/http/blank.ts'
import { queryParameter } from '../../channels/http/request-fields.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { APP_MODES, appPage, iconAnswer, manifest } from './page.ts'

const isPart = (visit: HttpVisit): boolean =>
  queryParameter(visit, 'manifest') !== undefined || queryParameter(visit, 'icon') !== undefined

/** What the app reports when it is opened; undefined for any other request. */
function reportOf({ method, body = '' }: HttpVisit): EventFields | undefined {
  const { additional_info, ...facts } = (method === 'POST' && factsOf(body)) || {}
  if (typeof additional_info !== 'object' || Array.isArray(additional_info)) return undefined
  const { display_mode, ...additional } = { ...additional_info } as EventFields
  const isApp = APP_MODES.some((mode) => mode === display_mode)
  return isApp ? { display_mode: display_mode ?? '', ...facts, additional_info: additional } : undefined
}

export default token(descriptor, {
  renders: ({ url }) => ({ url }),
  on: {
    http: {
      judge(visit) {
        if (reportOf(visit) !== undefined) return 'fire'
        // What was not read may be the report: it must not be missed.
        if (visit.isBodyCut) return 'fire'
        return isPart(visit) ? 'nothing' : 'quiet'
      },
      describe: (visit) => ({ useragent: visit.headers['User-Agent'] ?? '', ...reportOf(visit) }),
      answer(visit, app) {
        if (visit.method === 'POST') return pixel
        if (queryParameter(visit, 'manifest') !== undefined) return manifest(app)
        return iconAnswer(app, queryParameter(visit, 'icon') ?? '') ?? appPage(app)
      },
    },
  },
})
