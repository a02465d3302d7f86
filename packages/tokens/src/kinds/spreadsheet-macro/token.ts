// A workbook whose macro reports who opened it.
import { onMacroReport } from '../../office/vba/opened-by.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ url, hostname }) => ({ url, hostname }),
  on: onMacroReport,
})
