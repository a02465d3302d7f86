// A workbook that links to a picture. Any request for the picture fires.
import { requestFields } from '../../channels/http/request-fields.ts'
import { pixel } from '../../channels/http/blank.ts'
import { officeDetail, officeVisitor } from '../../office/visitor.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url }) => ({ url }),
  on: {
    http: {
      visitor: officeVisitor,
      visitorDetail: officeDetail,
      describe: requestFields,
      answer: () => pixel,
    },
  },
})
