import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'
import { checkedHeaders } from './headers.ts'

interface Given {
  readonly url: string
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  /** What its messages are signed with. */
  readonly secret: string
}

export const descriptor = describeWebhook({
  kind: 'generic',
  parse: ({ url, headers = {}, secret }: Given) => ({
    url: parseReceiverUrl(url),
    headers: checkedHeaders(headers),
    secret,
  }),
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  info: { field: 'generic_webhooks', holds: 'many' },
})
