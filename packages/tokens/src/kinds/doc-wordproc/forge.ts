import { openDraws } from '../../draws.ts'
import { forge, type ForgedFile } from '../../forge.ts'
import { WORD_FORMATS } from '../../office/formats.ts'
import { newPicture } from '../../office/linked-picture.ts'
import { mainPart, readParts } from '../../office/package.ts'
import { newWordDocument } from '../../office/new-word-document.ts'
import { plantInOwnWord, plantInWord } from '../../office/plant-in-word.ts'
import { readingUpload } from '@rookery/kernel/unusable-file.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { descriptor } from './descriptor.ts'

export default forge(descriptor, {
  file: ({ address: { url }, settings: { doc }, uploads: { doc: uploaded }, derive }) =>
    readingUpload('doc', async () => {
      const draws = openDraws(derive, 'document')
      const picture = newPicture(draws)
      if (doc && uploaded) return planted(doc.filename, plantInWord(await readParts(uploaded), url, picture))
      const { name, parts } = newWordDocument(draws)
      return planted(`${name}.docx`, plantInOwnWord(parts, url, picture))
    }),
})

const planted = (filename: string, parts: readonly ZipEntry[]): ForgedFile => ({
  filename,
  contentType: mainPart(parts, WORD_FORMATS).contentType,
  bytes: writeZip(parts),
})
