import { baseUrl } from '../../channels/http/token-path.ts'
import { forge, textFile } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { registryToken } from './registry-token.ts'

export default forge(descriptor, {
  file({ address, settings: { npm_scope: scope }, derive }) {
    const registry = `${baseUrl(address)}/`
    const lines = [
      `${scope === undefined ? '' : `@${scope}:`}registry=${registry}`,
      // npm finds the token by the address of the registry without its scheme.
      `${registry.replace(/^https?:/, '')}:_authToken=${registryToken(derive)}`,
    ]
    return textFile('.npmrc', lines)
  },
})
