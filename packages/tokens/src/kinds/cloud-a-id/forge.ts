import { forge } from '../../forge.ts'
import { CLIENT_FORMS } from './client-forms.ts'
import { descriptor } from './descriptor.ts'
import { endpointOf, plantedKey } from './planted-key.ts'

export default forge(descriptor, {
  file({ address, settings, derive, issued }) {
    const { filename, text } = CLIENT_FORMS[settings.cloud_a_client]
    return {
      filename,
      contentType: 'text/plain; charset=utf-8',
      bytes: Buffer.from(text(plantedKey(settings, derive, issued), endpointOf(settings, address))),
    }
  },
})
