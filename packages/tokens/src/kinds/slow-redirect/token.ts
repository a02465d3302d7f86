// A URL whose page reports what the browser says of itself, then leads on. Any request for it fires.
import { requestFields } from '../../channels/http/request-fields.ts'
import { reportFields, reportsForMs, scannerPage } from '../../channels/http/scanner.ts'
import { pixel } from '../../channels/http/blank.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url }) => ({ url }),
  on: {
    http: {
      describe: (visit) => ({ ...requestFields(visit), ...reportFields(visit) }),
      amend: reportFields,
      amendsForMs: reportsForMs,
      answer: (visit, { browser_redirect_url }) =>
        reportFields(visit) === undefined ? scannerPage(new URL(browser_redirect_url).href) : pixel,
    },
  },
})
