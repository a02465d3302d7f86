// A URL that nobody has a reason to open. Any request that carries the id fires.
import { blank, pixel } from '../../channels/http/blank.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { reportFields, reportsForMs } from '../../channels/http/scanner.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url }) => ({ url, html: `<img src="${url}" width="1" height="1" alt="">` }),
  on: {
    http: {
      describe: (visit) => ({ ...requestFields(visit), ...reportFields(visit) }),
      amend: reportFields,
      amendsForMs: reportsForMs,
      answer: ({ headers }, { browser_scanner_enabled }) =>
        browser_scanner_enabled ? blank(headers['Accept']) : pixel,
    },
  },
})
