import { openDraws } from '../../draws.ts'
import { forge, type ForgedFile } from '../../forge.ts'
import { OFFICE_FORMATS } from '../../office/formats.ts'
import { newWordDocument } from '../../office/new-word-document.ts'
import { readParts } from '../../office/package.ts'
import { plantMacroInWord } from '../../office/plant-macro.ts'
import { openingMacro } from '../../office/vba/opening-macro.ts'
import { vbaProject } from '../../office/vba/project.ts'
import { readingUpload } from '@rookery/kernel/unusable-file.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { descriptor } from './descriptor.ts'

/** Class id of Word's Document. */
const DOCUMENT = '{00020906-0000-0000-C000-000000000046}'

export default forge(descriptor, {
  file: ({ address, settings: { doc }, uploads: { doc: uploaded }, derive }) =>
    readingUpload('doc', async () => {
      const draws = openDraws(derive, 'document')
      const source = openingMacro(address, { event: 'Document_Open', open: 'Documents.Open' })
      const project = vbaProject([{ name: 'ThisDocument', baseId: DOCUMENT, source }], draws)
      if (doc && uploaded) return planted(doc.filename, plantMacroInWord(await readParts(uploaded), project))
      const { name, parts } = newWordDocument(draws, project)
      return planted(name, parts)
    }),
})

/** Word opens macros under this ending alone. */
const planted = (name: string, parts: readonly ZipEntry[]): ForgedFile => ({
  filename: `${name.replace(/\.(?:doc|dot)[xm]$/i, '')}.docm`,
  contentType: OFFICE_FORMATS.docm.file,
  bytes: writeZip(parts),
})
