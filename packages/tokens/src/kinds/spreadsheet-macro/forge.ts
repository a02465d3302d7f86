import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { newWorkbook } from '../../office/new-workbook.ts'
import { openingMacro } from '../../office/vba/opening-macro.ts'
import { vbaProject } from '../../office/vba/project.ts'
import { accountList } from '../../pretexts/accounts.ts'
import { writeZip } from '../../zip/write.ts'
import { descriptor } from './descriptor.ts'

/** Class ids of Excel's Workbook and Worksheet. */
const WORKBOOK = '{00020819-0000-0000-C000-000000000046}'
const WORKSHEET = '{00020820-0000-0000-C000-000000000046}'

export default forge(descriptor, {
  file({ address, derive }) {
    const draws = openDraws(derive, 'workbook')
    const list = accountList(draws)
    const source = openingMacro(address, { event: 'Workbook_Open', open: 'Workbooks.Open' })
    const project = vbaProject(
      [
        { name: 'ThisWorkbook', baseId: WORKBOOK, source },
        { name: 'Sheet1', baseId: WORKSHEET, source: [] },
      ],
      draws,
    )
    return {
      filename: `${list.title}.xlsm`,
      contentType: 'application/vnd.ms-excel.sheet.macroEnabled.12',
      bytes: writeZip(newWorkbook(list, { vbaProject: project }, draws)),
    }
  },
})
