import { baseUrl } from '../../channels/http/token-path.ts'
import { forge, textFile } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { serviceAccountOf } from './service-account.ts'

export default forge(descriptor, {
  file({ address, settings: { kube_cluster }, derive }) {
    const cluster = yamlText(kube_cluster)
    const { name, token } = serviceAccountOf(derive)
    const server = baseUrl(address)
    const lines = [
      'apiVersion: v1',
      'clusters:',
      '- cluster:',
      // A client that does not trust the certificate would send no request.
      ...(server.startsWith('https:') ? ['    insecure-skip-tls-verify: true'] : []),
      `    server: ${server}`,
      `  name: ${cluster}`,
      'contexts:',
      '- context:',
      `    cluster: ${cluster}`,
      `    user: ${name}`,
      `  name: ${cluster}`,
      `current-context: ${cluster}`,
      'kind: Config',
      'preferences: {}',
      'users:',
      `- name: ${name}`,
      '  user:',
      `    token: ${token}`,
    ]
    return textFile('config', lines, 'application/yaml; charset=utf-8')
  },
})

/** In quotes where YAML 1.1 would read a number, a truth value or a list, as kubectl itself writes it. */
const yamlText = (text: string): string =>
  /^[a-z][a-z0-9-]*$/.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/.test(text) ? text : `"${text}"`
