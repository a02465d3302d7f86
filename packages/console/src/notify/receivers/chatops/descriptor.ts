import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

/** A channel as the chat service authorised it, and as the API shows it (2.9). */
export interface Channel {
  readonly channel: string
  readonly configuration_url: string
  readonly team: string
  readonly url: string
}

export const descriptor = describeWebhook({
  kind: 'chatops',
  title: 'Chat service',
  help: 'A channel that you choose on the page of the chat service. Register an app there with the scope incoming-webhook first.',
  parse: ({ url, team, channel, configuration_url }: Channel) => ({
    url: parseReceiverUrl(url),
    settings: { team, channel, configuration_url },
  }),
  view({ url, host, settings }, isAdmin): Channel {
    const { channel = '', team = '', configuration_url: page = '' } = settings
    if (isAdmin) return { channel, team, url, configuration_url: page }
    return { channel, team, url: host, configuration_url: page === '' ? '' : new URL(page).host }
  },
  channelOf: ({ settings }) => settings['channel'] ?? '',
  writes: 'slack',
  info: { field: 'chatops_webhooks', holds: 'many' },
})
