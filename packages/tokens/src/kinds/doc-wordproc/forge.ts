import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { newPicture } from '../../office/linked-picture.ts'
import { readParts } from '../../office/package.ts'
import { plantInWord } from '../../office/plant-in-word.ts'
import { readingUpload } from '../../unusable-file.ts'
import { writeZip } from '../../zip/write.ts'
import { descriptor } from './descriptor.ts'
import { newDocument } from './new-document.ts'

export default forge(descriptor, {
  file: ({ address: { url }, settings: { doc }, uploads: { doc: uploaded }, derive }) =>
    readingUpload('doc', async () => {
      const draws = openDraws(derive, 'document')
      const picture = newPicture(draws)
      const { filename, parts } =
        doc && uploaded ? { filename: doc.filename, parts: await readParts(uploaded) } : newDocument(draws)
      return {
        filename,
        contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        bytes: writeZip(plantInWord(parts, url, picture)),
      }
    }),
})
