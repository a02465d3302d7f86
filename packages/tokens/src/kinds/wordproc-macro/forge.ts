import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { newWordDocument } from '../../office/new-word-document.ts'
import { openingMacro } from '../../office/vba/opening-macro.ts'
import { vbaProject } from '../../office/vba/project.ts'
import { writeZip } from '../../zip/write.ts'
import { descriptor } from './descriptor.ts'

/** Class id of Word's Document. */
const DOCUMENT = '{00020906-0000-0000-C000-000000000046}'

export default forge(descriptor, {
  file({ address, derive }) {
    const draws = openDraws(derive, 'document')
    const source = openingMacro(address, { event: 'Document_Open', open: 'Documents.Open' })
    const project = vbaProject([{ name: 'ThisDocument', baseId: DOCUMENT, source }], draws)
    const { name, parts } = newWordDocument(draws, project)
    return {
      filename: `${name}.docm`,
      contentType: 'application/vnd.ms-word.document.macroEnabled.12',
      bytes: writeZip(parts),
    }
  },
})
