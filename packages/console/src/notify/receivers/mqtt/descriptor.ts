import { describeWebhook } from '../../receiver-kind.ts'
import { checkAccount, checkedUrl, checkPrefix } from './checks.ts'

interface Given {
  readonly url: string
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly prefix?: string | undefined
}

const PREFIX = 'rookery'

export const descriptor = describeWebhook({
  kind: 'mqtt',
  title: 'MQTT',
  help: 'Each alert is a message of MQTT 3.1.1, and the states of the Flock and its Birds are retained at the broker, where Home Assistant finds them by itself. The user must be allowed to publish below the prefix and below homeassistant/. An authority of your own stands in ROOKERY_OUTBOUND_CA.',
  parse({ url: given, user = '', password = '', prefix = PREFIX }: Given) {
    const href = checkedUrl(given)
    checkPrefix(prefix)
    checkAccount(user, password)
    return {
      // Found again by all three: a broker may serve several houses.
      url: {
        given: href,
        href: `${href}#${JSON.stringify([user, prefix])}`,
        parameter: 'url',
        host: new URL(href).host,
      },
      secret: password,
      settings: { user, prefix },
    }
  },
  view: ({ webhookId, url, settings }) => ({
    webhook_id: webhookId,
    url,
    user: settings['user'] ?? '',
    prefix: settings['prefix'] ?? PREFIX,
  }),
  info: { field: 'mqtt', holds: 'many' },
})
