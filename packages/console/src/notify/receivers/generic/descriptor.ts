import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'
import { checkedFormat } from './format.ts'
import { checkedHeaders } from './headers.ts'

interface Given {
  readonly url: string
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  readonly format: string
  readonly template?: string | undefined
  readonly tried_logins?: boolean
  /** What its messages are signed with. */
  readonly secret: string
}

export const descriptor = describeWebhook({
  kind: 'generic',
  title: 'Webhook',
  help: 'One POST for each alert: signed JSON, or the form of the chat service that the URL is of, such as Slack, Discord or ntfy. Own headers: at most 32, of visible ASCII. At most 60 messages a minute; the rest of a minute becomes one digest.',
  parse({ url: given, headers = {}, format, template, tried_logins = false, secret }: Given) {
    const url = parseReceiverUrl(given)
    return {
      url,
      headers: checkedHeaders(headers),
      settings: { ...checkedFormat(url.href, format, template), ...(tried_logins && { passwords: 'yes' }) },
      secret,
    }
  },
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  writes: 'any',
  info: { field: 'generic_webhooks', holds: 'many' },
})
