import { nxName } from '../../channels/dns/nx-name.ts'
import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { readingUpload } from '@rookery/kernel/unusable-file.ts'
import { descriptor } from './descriptor.ts'
import { newPdf } from './new-pdf.ts'

export default forge(descriptor, {
  async file({ address, settings: { pdf }, uploads: { pdf: uploaded }, derive }) {
    const url = `http://${nxName(address, 'p')}/`
    const contentType = 'application/pdf'
    if (!pdf || !uploaded) return { contentType, ...newPdf(openDraws(derive, 'document'), url) }
    // The library takes 30 MB, and a document of our own does not need it.
    const { plantInPdf } = await import('./plant-in-pdf.ts')
    const bytes = await readingUpload('pdf', () => plantInPdf(uploaded, url))
    return { filename: pdf.filename, contentType, bytes }
  },
})
