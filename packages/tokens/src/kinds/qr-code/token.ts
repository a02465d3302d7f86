// A picture of a URL. Any request for the URL fires.
import { Fault } from '@rookery/kernel/fault.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { reportFields, reportsForMs } from '../../channels/http/scanner.ts'
import { MAX_BYTES } from '../../qr/codewords.ts'
import { svgOf } from '../../qr/svg.ts'
import { qrSymbol } from '../../qr/symbol.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders({ url }) {
    if (Buffer.byteLength(url) > MAX_BYTES)
      throw new Fault('bad-input', 'The URL of the token is too long for a QR code.', {
        details: {
          custom_domain: `must be shorter: the URL may have ${MAX_BYTES} characters, not ${url.length}`,
        },
      })
    return { url, svg: svgOf(qrSymbol(url)) }
  },
  on: {
    http: {
      describe: (visit) => ({ ...requestFields(visit), ...reportFields(visit) }),
      amend: reportFields,
      amendsForMs: reportsForMs,
    },
  },
})
