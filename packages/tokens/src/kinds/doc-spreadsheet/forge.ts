import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { newWorkbook } from '../../office/new-workbook.ts'
import { accountList } from '../../pretexts/accounts.ts'
import { writeZip } from '../../zip/write.ts'
import { descriptor } from './descriptor.ts'

export default forge(descriptor, {
  file({ address: { url }, derive }) {
    const draws = openDraws(derive, 'workbook')
    const list = accountList(draws)
    return {
      filename: `${list.title}.xlsx`,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      bytes: writeZip(newWorkbook(list, { pictureUrl: url }, draws)),
    }
  },
})
