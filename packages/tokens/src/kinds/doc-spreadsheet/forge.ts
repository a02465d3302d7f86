import { openDraws } from '../../draws.ts'
import { forge, type ForgedFile } from '../../forge.ts'
import { EXCEL_FORMATS } from '../../office/formats.ts'
import { newWorkbook } from '../../office/new-workbook.ts'
import { mainPart, readParts } from '../../office/package.ts'
import { plantInWorkbook } from '../../office/plant-in-workbook.ts'
import { accountList } from '../../pretexts/accounts.ts'
import { readingUpload } from '@rookery/kernel/unusable-file.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { descriptor } from './descriptor.ts'

export default forge(descriptor, {
  file: ({ address: { url }, settings: { doc }, uploads: { doc: uploaded }, derive }) =>
    readingUpload('doc', async () => {
      const draws = openDraws(derive, 'workbook')
      if (doc && uploaded)
        return planted(doc.filename, plantInWorkbook(await readParts(uploaded), url, draws))
      const list = accountList(draws)
      return planted(`${list.title}.xlsx`, newWorkbook(list, { pictureUrl: url }, draws))
    }),
})

const planted = (filename: string, parts: readonly ZipEntry[]): ForgedFile => ({
  filename,
  contentType: mainPart(parts, EXCEL_FORMATS).contentType,
  bytes: writeZip(parts),
})
