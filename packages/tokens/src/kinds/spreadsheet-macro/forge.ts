import { openDraws } from '../../draws.ts'
import { forge, type ForgedFile } from '../../forge.ts'
import { OFFICE_FORMATS } from '../../office/formats.ts'
import { newWorkbook } from '../../office/new-workbook.ts'
import { readParts } from '../../office/package.ts'
import { plantMacroInWorkbook, WORKSHEET, type SheetModule } from '../../office/plant-macro.ts'
import { openingMacro } from '../../office/vba/opening-macro.ts'
import { vbaProject } from '../../office/vba/project.ts'
import { accountList } from '../../pretexts/accounts.ts'
import { readingUpload } from '@rookery/kernel/unusable-file.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { descriptor } from './descriptor.ts'

/** Class id of Excel's Workbook. */
const WORKBOOK = '{00020819-0000-0000-C000-000000000046}'

export default forge(descriptor, {
  file: ({ address, settings: { doc }, uploads: { doc: uploaded }, derive }) =>
    readingUpload('doc', async () => {
      const draws = openDraws(derive, 'workbook')
      const source = openingMacro(address, { event: 'Workbook_Open', open: 'Workbooks.Open' })
      const projectOf = (sheets: readonly SheetModule[]): Buffer =>
        vbaProject(
          [
            { name: 'ThisWorkbook', baseId: WORKBOOK, source },
            ...sheets.map((sheet) => ({ ...sheet, source: [] })),
          ],
          draws,
        )
      if (doc && uploaded)
        return planted(doc.filename, plantMacroInWorkbook(await readParts(uploaded), projectOf))
      const list = accountList(draws)
      const project = projectOf([{ name: 'Sheet1', baseId: WORKSHEET }])
      return planted(list.title, newWorkbook(list, { vbaProject: project }, draws))
    }),
})

/** Excel opens macros under this ending alone. */
const planted = (name: string, parts: readonly ZipEntry[]): ForgedFile => ({
  filename: `${name.replace(/\.xl[st][xm]$/i, '')}.xlsm`,
  contentType: OFFICE_FORMATS.xlsm.file,
  bytes: writeZip(parts),
})
